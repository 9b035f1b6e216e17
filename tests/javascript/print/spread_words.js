// What cannot be spread, as one argument of several, since 10.
function say() {}
const five = 5;
const holder = { part: {} };
const attempts = [
  function () { say(1, ...new Error('one'), 2); },
  function () { say(...five, 1); },
  function () { say(...holder.part, 1); },
  function () { say(1, ...five); },
  function () { say(...new Error('x')); },
  function () { new say(...five, 1); },
  function () { new say(1, ...five); },
  function () { say(...undefined, 1); },
  function () { say(...[1], ...five); },
  function () { say(...five, ...[1]); },
  function () { say(...say(), 1); },
];
attempts.forEach(function (attempt, i) {
  try {
    attempt();
    console.log(i, 'fine');
  } catch (error) {
    console.log(i, error.message);
  }
});
