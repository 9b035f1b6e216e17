import './modules/waits.mjs';
console.log('never');
