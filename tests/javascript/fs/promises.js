'use strict';
const fs = require('fs/promises');
const os = require('os');
const path = require('path');
(async () => {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'promises-'));
  const file = path.join(dir, 'file');
  console.log(await fs.writeFile(file, 'one\ntwo\n'), await fs.appendFile(file, 'three\n'));
  console.log(await fs.readFile(file, 'utf8'), (await fs.stat(file)).size);
  const handle = await fs.open(file, 'r+');
  console.log(typeof handle.fd, handle.constructor.name);
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(5), 0, 5, 0);
  console.log(bytesRead, buffer.toString());
  console.log((await handle.write('ONE', 0)).bytesWritten, (await handle.write(Buffer.from('xTWOx'), 1, 3, 4)).bytesWritten);
  console.log(await handle.readFile('utf8'), (await handle.stat()).isFile());
  await handle.truncate(3);
  await handle.sync();
  await handle.close();
  console.log(await fs.readFile(file, { encoding: 'utf8' }), handle.fd);
  console.log(await handle.readFile().catch((error) => [error.code, error.message]));
  console.log(await handle.close());
  await fs.writeFile(file, (function* () { yield 'a'; yield 'b'; })());
  await fs.writeFile(`${file}2`, (async function* () { yield 'c'; yield Buffer.from('d'); })());
  console.log(await fs.readFile(file, 'utf8') + await fs.readFile(`${file}2`, 'utf8'));
  for (const attempt of [() => fs.readFile(`${dir}/none`), () => fs.open(`${dir}/none`), () => fs.readFile(dir), () => fs.stat(`${dir}/none`),
                         () => fs.unlink(`${dir}/none`), () => fs.rm(`${dir}/none`), () => fs.readFile(), () => fs.writeFile(file)]) {
    await attempt().catch((error) => console.log(error.name, error.code, error.message.replace(dir, 'DIR')));
  }
  await fs.rm(`${dir}/none`, { force: true });
  const controller = new AbortController();
  controller.abort();
  await fs.readFile(file, { signal: controller.signal }).catch((error) => console.log(error.name, error.code, error.message));
  const later = new AbortController();
  const reading = fs.readFile(file, { signal: later.signal });
  later.abort();
  await reading.catch((error) => console.log(error.name));
  await fs.rm(dir, { recursive: true });
})();
