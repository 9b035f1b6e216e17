// worker_threads (lib/worker_threads.js), as far as one thread goes: there are no workers.
'use strict';

const { BroadcastChannel, MessageChannel, MessagePort, receiveMessageOnPort } = require('internal/ports');
const { removeAbsent } = require('internal/version');

class Worker {
  constructor() { throw new Error('worker_threads.Worker is not simulated: a program has one thread here'); }
}

const environmentData = new Map();

module.exports = {
  isMainThread: true, MessagePort, MessageChannel, receiveMessageOnPort, resourceLimits: {}, threadId: 0,
  SHARE_ENV: Symbol.for('nodejs.worker_threads.SHARE_ENV'),
  Worker, parentPort: null, workerData: null, BroadcastChannel,
  setEnvironmentData(key, value) { if (value === undefined) environmentData.delete(key); else environmentData.set(key, value); },
  getEnvironmentData(key) { return environmentData.get(key); },
  markAsUntransferable() {},
};

function restrict() {
  removeAbsent([
    [module.exports, 'receiveMessageOnPort', '12.3'],
    [module.exports, 'resourceLimits', '12.16'],
    [module.exports, 'SHARE_ENV', '11.14'],
    [module.exports, 'BroadcastChannel', '15.4'],
    [module.exports, 'setEnvironmentData', '15.12 14.18'],
    [module.exports, 'getEnvironmentData', '15.12 14.18'],
    [module.exports, 'markAsUntransferable', '14.5 12.19'],
  ]);
}
Object.defineProperty(module.exports, 'restrict', { __proto__: null, value: restrict, configurable: true });
