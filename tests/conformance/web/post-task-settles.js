// A task of scheduler.postTask() can be aborted until it has run, also by itself. Its promise is settled behind its microtasks, also if it
// throws.
const told = (name) => [(value) => console.log(name, 'fulfilled', value), (reason) => console.log(name, 'rejected', reason)];
const turns = (count) => (count === 0 ? Promise.resolve() : Promise.resolve().then(() => turns(count - 1)));
const post = (name, callback) => {
  const controller = new TaskController();
  scheduler.postTask(() => callback(controller), { signal: controller.signal }).then(...told(name));
};
post('aborted by itself', (controller) => {
  controller.abort('by itself');
  return 1;
});
post('aborted by its microtask', (controller) => {
  queueMicrotask(() => controller.abort('by its microtask'));
  return 2;
});
post('aborted while it waits', async (controller) => {
  queueMicrotask(() => controller.abort('while it waits'));
  await turns(5);
  return 3;
});
post('aborted behind a yield', async (controller) => {
  await scheduler.yield();
  controller.abort('behind a yield');
  return 4;
});
post('thrown', () => {
  turns(3).then(() => console.log('its microtasks'));
  throw 5;
});
post('aborted and thrown', (controller) => {
  controller.abort('before it throws');
  throw 6;
});
post('returned', () => {
  turns(3).then(() => console.log('its microtasks'));
  return 7;
});
