'use strict';
const os = require('os');
console.log(os.EOL === '\n', os.platform(), os.type(), os.endianness(), os.arch(), os.devNull, os.tmpdir(), `${os.platform}`);
console.log(os.cpus().length > 0, typeof os.cpus()[0].model, Object.keys(os.cpus()[0]), Object.keys(os.cpus()[0].times));
console.log(os.totalmem() > os.freemem(), os.loadavg().length, typeof os.uptime(), typeof os.hostname(), typeof os.release(), typeof os.version());
console.log(os.constants.signals.SIGKILL, os.constants.signals.SIGUSR1, os.constants.errno.ENOENT, os.constants.priority.PRIORITY_LOW);
console.log(Object.keys(os.userInfo()), os.networkInterfaces().lo[0].address, os.availableParallelism ? os.availableParallelism() === os.cpus().length : true);
try { os.setPriority(0, 100); } catch (error) { console.log(error.code, error.message); }
