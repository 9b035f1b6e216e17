// The same of a rejection's reason, and of one that has a stack but is no error.
if (typeof Proxy !== 'undefined') {
  var traps = {
    get: function (target, key) { console.log('get', String(key)); return target[key]; },
    getOwnPropertyDescriptor: function (target, key) { console.log('own', String(key)); return Object.getOwnPropertyDescriptor(target, key); },
  };
  process.on('exit', function (code) { console.log('exit', code); });
  Promise.reject(new Proxy({ a: 0 }, traps));
}
