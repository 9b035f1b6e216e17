// A listener of rejections that always throws, while others wait: which callbacks drain the queues before the first immediate.
process.on('uncaughtException', (error) => console.log('caught', error));
process.on('unhandledRejection', (reason) => { console.log('unhandled', reason); throw `of ${reason}`; });
setImmediate(() => console.log('immediate'));
for (const i of [1, 2, 3, 4, 5]) Promise.resolve().then(() => { throw i; });
