// virtual clock, stdout only: how many turns of the loop each form of each operation takes, one for each further request to the pool.
'use strict';
try { process.chdir('vclock:start'); } catch (error) {}
var fs = require('fs');
var dir = fs.mkdtempSync ? fs.mkdtempSync('/tmp/trips-') : '/tmp/trips-4';
if (!fs.mkdtempSync) { try { fs.mkdirSync(dir); } catch (e) {} }
var P = fs.promises;
var B = Buffer.alloc || function (n) { return new Buffer(n); };
fs.writeFileSync(dir + '/empty', '');
fs.writeFileSync(dir + '/ten', '0123456789');
fs.writeFileSync(dir + '/k512', B(512 * 1024));
fs.writeFileSync(dir + '/k600', B(600 * 1024));
fs.writeFileSync(dir + '/k20', B(20 * 1024));
fs.writeFileSync(dir + '/m2', B(1100 * 1024));
if (!fs.existsSync(dir + '/sub')) fs.mkdirSync(dir + '/sub');
fs.writeFileSync(dir + '/sub/one', '1');
var tests = [];
function clean(path) {
  fs.readdirSync(path).forEach(function (name) {
    if (fs.lstatSync(path + '/' + name).isDirectory()) clean(path + '/' + name);
    else fs.unlinkSync(path + '/' + name);
  });
  fs.rmdirSync(path);
}
function cb(name, f) { tests.push([name, f]); }
function pr(name, f) { if (P) tests.push(['p.' + name, function (done) { f().then(function () { done(); }, function (e) { done(e); }); }]); }
['empty', 'ten', 'k20', 'k512', 'k600', 'm2', 'none', 'sub'].forEach(function (n) {
  cb('readFile ' + n, function (d) { fs.readFile(dir + '/' + n, d); });
  if (n === 'ten' || n === 'none') cb('readFile utf8 ' + n, function (d) { fs.readFile(dir + '/' + n, 'utf8', d); });
  pr('readFile ' + n, function () { return P.readFile(dir + '/' + n); });
  if (n === 'ten' || n === 'k20') pr('readFile utf8 ' + n, function () { return P.readFile(dir + '/' + n, 'utf8'); });
});
var fd = fs.openSync(dir + '/ten', 'r+');
cb('readFile fd', function (d) { fs.readFile(fd, d); });
cb('writeFile', function (d) { fs.writeFile(dir + '/w', 'text', d); });
cb('writeFile empty', function (d) { fs.writeFile(dir + '/w', '', d); });
cb('writeFile 2m', function (d) { fs.writeFile(dir + '/w', B(1100 * 1024), d); });
cb('writeFile none', function (d) { fs.writeFile(dir + '/none/w', 'text', d); });
cb('writeFile flush', function (d) { fs.writeFile(dir + '/w', 'text', { flush: true }, d); });
pr('writeFile', function () { return P.writeFile(dir + '/w', 'text'); });
pr('writeFile empty', function () { return P.writeFile(dir + '/w', ''); });
pr('writeFile 600k', function () { return P.writeFile(dir + '/w', B(600 * 1024)); });
pr('writeFile 2m', function () { return P.writeFile(dir + '/w', B(1100 * 1024)); });
pr('writeFile none', function () { return P.writeFile(dir + '/none/w', 'text'); });
pr('writeFile flush', function () { return P.writeFile(dir + '/w', 'text', { flush: true }); });
cb('appendFile', function (d) { fs.appendFile(dir + '/w', 'text', d); });
pr('appendFile', function () { return P.appendFile(dir + '/w', 'text'); });
['stat', 'lstat', 'access', 'realpath', 'readdir'].forEach(function (op) {
  ['ten', 'none', 'sub'].forEach(function (n) {
    cb(op + ' ' + n, function (d) { fs[op](dir + '/' + n, d); });
    pr(op + ' ' + n, function () { return P[op](dir + '/' + n); });
  });
});
cb('realpath.native', function (d) { fs.realpath.native ? fs.realpath.native(dir + '/ten', d) : d(); });
cb('exists', function (d) { fs.exists(dir + '/ten', function () { d(); }); });
cb('exists none', function (d) { fs.exists(dir + '/none', function () { d(); }); });
cb('fstat', function (d) { fs.fstat(fd, d); });
cb('read', function (d) { fs.read(fd, B(4), 0, 4, 0, d); });
cb('read 0', function (d) { fs.read(fd, B(4), 0, 0, 0, d); });
cb('write', function (d) { fs.write(fd, B(4), 0, 4, 0, d); });
cb('write text', function (d) { fs.write(fd, 'abc', d); });
cb('writev', function (d) { fs.writev ? fs.writev(fd, [B(1), B(1)], 0, d) : d(); });
cb('readv', function (d) { fs.readv ? fs.readv(fd, [B(1), B(1)], 0, d) : d(); });
cb('fsync', function (d) { fs.fsync(fd, d); });
cb('ftruncate', function (d) { fs.ftruncate(fd, 10, d); });
cb('truncate', function (d) { fs.truncate(dir + '/w', 1, d); });
pr('truncate', function () { return P.truncate(dir + '/w', 1); });
cb('truncate none', function (d) { fs.truncate(dir + '/none', 1, d); });
cb('copyFile', function (d) { fs.copyFile ? fs.copyFile(dir + '/ten', dir + '/c', d) : d(); });
pr('copyFile', function () { return P.copyFile(dir + '/ten', dir + '/c'); });
cb('rename', function (d) { fs.rename(dir + '/w', dir + '/w2', d); });
cb('mkdir', function (d) { fs.mkdir(dir + '/d1', d); });
cb('mkdir recursive', function (d) { fs.mkdir(dir + '/d2/e/f', { recursive: true }, d); });
pr('mkdir recursive', function () { return P.mkdir(dir + '/d3/e/f', { recursive: true }); });
cb('readdir withFileTypes', function (d) { fs.promises ? fs.readdir(dir, { withFileTypes: true }, d) : d(); });
cb('readdir recursive', function (d) { fs.promises ? fs.readdir(dir, { recursive: true }, d) : d(); });
pr('readdir recursive', function () { return P.readdir(dir, { recursive: true }); });
cb('opendir', function (d) { fs.opendir ? fs.opendir(dir, function (e, h) { h.close(d); }) : d(); });
cb('mkdtemp', function (d) { fs.mkdtemp ? fs.mkdtemp(dir + '/t-', d) : d(); });
cb('symlink', function (d) { fs.symlink('ten', dir + '/ln', d); });
cb('readlink', function (d) { fs.readlink(dir + '/ln', d); });
cb('link', function (d) { fs.link(dir + '/ten', dir + '/hl', d); });
cb('unlink', function (d) { fs.unlink(dir + '/hl', d); });
cb('chmod', function (d) { fs.chmod(dir + '/ten', 420, d); });
cb('utimes', function (d) { fs.utimes(dir + '/ten', 1, 1, d); });
cb('rmdir', function (d) { fs.rmdir(dir + '/d1', d); });
cb('rm', function (d) { fs.rm ? fs.rm(dir + '/c', d) : d(); });
cb('rm none', function (d) { fs.rm ? fs.rm(dir + '/none', d.bind(null, null)) : d(); });
cb('rm force none', function (d) { fs.rm ? fs.rm(dir + '/none', { force: true }, d) : d(); });
cb('rm recursive', function (d) { fs.rm ? fs.rm(dir + '/d2', { recursive: true }, d) : d(); });
pr('rm recursive', function () { return P.rm ? P.rm(dir + '/d3', { recursive: true }) : Promise.resolve(); });
cb('cp', function (d) { fs.cp ? fs.cp(dir + '/ten', dir + '/cp1', d) : d(); });
cb('open', function (d) { fs.open(dir + '/ten', 'r', d); });
cb('open close', function (d) { fs.open(dir + '/ten', 'r', function (e, f) { fs.close(f, d); }); });
var H;
pr('open', function () { return P.open(dir + '/ten', 'r+').then(function (h) { H = h; }); });
pr('h.stat', function () { return H.stat(); });
pr('h.read', function () { return H.read(B(4), 0, 4, 0); });
pr('h.write', function () { return H.write('abc'); });
pr('h.readFile', function () { return H.readFile(); });
pr('h.writeFile', function () { return H.writeFile('0123456789'); });
pr('h.appendFile', function () { return H.appendFile('0123456789'); });
pr('h.truncate', function () { return H.truncate(10); });
pr('h.sync', function () { return H.sync(); });
pr('h.close', function () { return H.close(); });
pr('opendir for await', function () { return P.opendir ? new Function('P', 'dir', 'return (async()=>{for await (const x of await P.opendir(dir)) {}})()')(P, dir) : Promise.resolve(); });
var i = 0;
function next() {
  if (i === tests.length) { try { fs.closeSync(fd); clean(dir); } catch (e) {} return; }
  var t = tests[i++], turns = 0, over = false;
  function turn() { if (!over) { turns++; if (turns < 200) setImmediate(turn); else { console.log(t[0], 'never'); over = true; next(); } } }
  setImmediate(turn);
  function done(e) { if (over) return; over = true; console.log(t[0], turns, e && e.code ? e.code : ''); setImmediate(next); }
  try { t[1](done); } catch (e) { over = true; console.log(t[0], 'throws', e.message); setImmediate(next); }
}
setImmediate(next);
