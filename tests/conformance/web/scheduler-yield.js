// scheduler.yield(): what follows comes before the other tasks of the same priority, and keeps the priority of the task that it is in.
const post = (name, priority, action) => scheduler.postTask(async () => {
  console.log(name);
  await action?.();
}, { priority });
post('visible 1', 'user-visible', async () => {
  await scheduler.yield();
  console.log('visible 1 goes on');
});
post('visible 2', 'user-visible');
post('background 1', 'background', async () => {
  await scheduler.yield();
  console.log('background 1 goes on');
});
post('background 2', 'background');
post('blocking 1', 'user-blocking', async () => {
  post('blocking 3', 'user-blocking');
  await scheduler.yield();
  console.log('blocking 1 goes on');
});
post('blocking 2', 'user-blocking');
