// scheduler.postTask(): by priority, within one by order; the promise it returns is settled with the task's result.
const post = (name, options) =>
  scheduler.postTask(() => {
    console.log(name);
    return name;
  }, options).then((value) => console.log('then', value));
post('background 1', { priority: 'background' });
post('visible 1');
post('blocking 1', { priority: 'user-blocking' });
post('visible 2', { priority: 'user-visible' });
post('background 2', { priority: 'background' });
post('blocking 2', { priority: 'user-blocking' });
queueMicrotask(() => console.log('microtask'));
const controller = new TaskController({ priority: 'background' });
controller.signal.onprioritychange = ({ previousPriority }) => console.log('prioritychange', previousPriority, controller.signal.priority);
setTimeout(() => {
  post('visible 3');
  post('was background', { signal: controller.signal });
  post('blocking 3', { priority: 'user-blocking' });
  controller.setPriority('user-blocking');
  post('delayed', { delay: 30, priority: 'user-blocking' });
}, 60);
setTimeout(() => {
  const aborted = new TaskController();
  scheduler.postTask(() => console.log('never'), { signal: aborted.signal }).catch((reason) => console.log('rejected', reason));
  scheduler.postTask(() => {
    throw new Error('of a task');
  }).catch(({ message }) => console.log('caught', message));
  aborted.abort('aborted');
}, 140);
