// virtual clock, stdout only, since 12. Requests of fs, dns and crypto: each is a resource.
const ah = require('async_hooks');
const fs = require('fs');

let depth = 0;
const out = (text) => fs.writeSync(1, `${'  '.repeat(Math.max(0, depth))}${text}\n`);
const where = () => `execution ${ah.executionAsyncId()}, trigger ${ah.triggerAsyncId()}`;
const hook = ah.createHook({
  init(id, type, trigger) { out(`init ${type} ${id}, trigger ${trigger}, ${where()}`); },
  before(id) { out(`before ${id}, ${where()}`); depth++; },
  after(id) { depth--; out(`after ${id}, ${where()}`); },
  destroy(id) { out(`destroy ${id}, ${where()}`); },
  promiseResolve(id) { out(`resolve ${id}, ${where()}`); },
});
const dns = require('dns');
const crypto = require('crypto');
const file = '/tmp/loopsim-hooks-requests.txt';
fs.writeFileSync(file, 'text');
hook.enable();
fs.stat('.', () => {
  out('stat');
  fs.readFile(file, () => {
    out('readFile');
    fs.open(file, 'r', (e, fd) => {
      out('open');
      fs.read(fd, Buffer.alloc(5), 0, 5, 0, () => {
        out('read');
        fs.close(fd, () => {
          out('close');
          dns.lookup('127.0.0.1', () => {
            crypto.pbkdf2('a', 'b', 1, 16, 'sha1', () => {
              out('pbkdf2');
              crypto.randomBytes(8, () => { out('randomBytes'); });
            });
          });
        });
      });
    });
  });
});
