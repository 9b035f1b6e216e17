// Errors of system calls, as libuv names them (deps/uv/include/uv.h; UVException of src/api/exceptions.cc).
'use strict';

const { atLeast } = require('internal/version');

// code: [errno, message]
const errors = {
  EACCES: [-13, 'permission denied'],
  EADDRINUSE: [-98, 'address already in use'],
  EBADF: [-9, 'bad file descriptor'],
  EEXIST: [-17, 'file already exists'],
  EFBIG: [-27, 'file too large'],
  EINVAL: [-22, 'invalid argument'],
  EISDIR: [-21, 'illegal operation on a directory'],
  ELOOP: [-40, 'too many symbolic links encountered'],
  EMFILE: [-24, 'too many open files'],
  ENOENT: [-2, 'no such file or directory'],
  ENXIO: [-6, 'no such device or address'],
  ENOSPC: [-28, 'no space left on device'],
  ENOTDIR: [-20, 'not a directory'],
  ENOTEMPTY: [-39, 'directory not empty'],
  EPERM: [-1, 'operation not permitted'],
  EXDEV: [-18, 'cross-device link not permitted'],
};

// Of a call that waits, Node 10 to 18 made the error from what C++ had collected, in another order.
let isOfSync = false;
function inSync(work) {
  isOfSync = atLeast(10) && !atLeast(20);
  try {
    return work();
  } finally {
    isOfSync = false;
  }
}

function uvException(code, syscall, path, dest) {
  const [errno, words] = errors[code];
  let message = `${code}: ${words}, ${syscall}`;
  if (path !== undefined) message += ` '${path}'`;
  if (dest !== undefined) message += ` -> '${dest}'`;
  const error = new Error(message);
  error.errno = errno;
  if (isOfSync) error.syscall = syscall;
  error.code = code;
  error.syscall = syscall;
  if (path !== undefined) error.path = path;
  if (dest !== undefined) error.dest = dest;
  return error;
}

module.exports = { uvException, errors, inSync };
