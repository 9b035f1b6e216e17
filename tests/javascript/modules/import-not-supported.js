'use strict';
import('fs').then(() => console.log('loaded'), (error) => console.log(error.name, error.message, error.code));
import('./nothing.mjs').catch((error) => console.log(error.name));
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('job'));
setTimeout(() => console.log('timer'), 1);
