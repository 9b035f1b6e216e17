// The file system of a run, in memory: what the scenario declares, what is in the program's folder (which is read when
// somebody asks for it), and what the program writes. Nothing of it is written to a disk.
//
// Its functions are system calls: they happen at once, and throw the errors of libuv. Paths are absolute here.
'use strict';

const native = internalBinding;
const { Buffer } = require('buffer');
const { facts } = require('internal/work');
const { uvException } = require('internal/uv_errors');
const {
  O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDWR, O_TRUNC, O_WRONLY, S_IFCHR, S_IFDIR, S_IFIFO, S_IFLNK,
  S_IFREG, S_IFSOCK,
} = require('internal/fs/constants');

const kFolder = '/usr/src/app';  // the root of the program
const kFill = 120;  // 'x': what a file has of which only the size is declared
const kFirstDescriptor = 17;
const kMostLinks = 40;
const kMostDescriptors = 4096;

let root;
let inodes = 0;
const descriptors = new Map();

// ---- nodes --------------------------------------------------------------------------------------------------------------

function makeNode(type, mode) {
  const now = root === undefined ? native.startTime() : native.wallTime();
  return {
    type, mode: type | mode, ino: ++inodes, nlink: type === S_IFDIR ? 2 : 1, uid: 0, gid: 0,
    atime: now, mtime: now, ctime: now, birthtime: now,
    entries: type === S_IFDIR ? new Map() : undefined,  // null: taken away
    below: undefined,     // of a folder that is the program's: its path from there, with '/' at its end
    data: undefined,      // of a file: its bytes and perhaps room for more; undefined: kFill
    size: type === S_IFDIR ? 4096 : 0,
    target: undefined,    // of a link
    times: undefined,     // by the scenario
    isInput: false,       // standard input
  };
}

function isFolder(node) { return node.type === S_IFDIR; }

function fileOf(bytes) {
  const node = makeNode(S_IFREG, 0o644);
  node.data = bytes;
  node.size = bytes.length;
  return node;
}

// The entry of a folder of the program's, which is looked for on the disk when it is asked for first.
function entryOf(folder, name) {
  const known = folder.entries.get(name);
  if (known !== undefined || folder.below === undefined) return known ?? undefined;
  let node;
  const names = native.listFolder(folder.below || '.');
  const isThere = names === undefined || names.includes(name);
  if (names?.includes(`${name}/`)) {
    node = makeNode(S_IFDIR, 0o755);
    node.below = `${folder.below}${name}/`;
  } else if (isThere) {
    const bytes = native.readFile(folder.below + name);
    if (bytes !== undefined) node = fileOf(Buffer.from(bytes, 'binary'));
  }
  if (node) {
    node.atime = node.mtime = node.ctime = node.birthtime = native.startTime();
    folder.entries.set(name, node);
  }
  return node;
}

function namesIn(folder) {
  const names = new Set();
  if (folder.below !== undefined) {
    for (const name of native.listFolder(folder.below || '.') ?? []) names.add(name.endsWith('/') ? name.slice(0, -1) : name);
  }
  for (const [name, node] of folder.entries) {
    if (node === null) names.delete(name);
    else names.add(name);
  }
  return [...names].sort((a, b) => (a < b ? -1 : 1));
}

function partsOf(path) { return path.split('/').filter((part) => part !== '' && part !== '.'); }

function makeFolders(path) {
  let node = root;
  for (const part of partsOf(path)) {
    let next = entryOf(node, part);
    if (next === undefined) {
      next = makeNode(S_IFDIR, 0o755);
      node.entries.set(part, next);
    }
    node = next;
  }
  return node;
}

function absolute(path) { return path.startsWith('/') ? path : `${kFolder}/${path}`; }

function start() {
  if (root !== undefined) return;
  root = makeNode(S_IFDIR, 0o755);
  for (const folder of ['/tmp', '/run', '/var/run', '/var/tmp']) makeFolders(folder);
  makeFolders('/dev').entries.set('null', makeNode(S_IFCHR, 0o666));
  const own = makeFolders(kFolder);
  own.below = '';
  const { source } = native.programSource();
  const place = absolute(native.facts.file);
  const slash = place.lastIndexOf('/');
  makeFolders(place.slice(0, slash)).entries.set(place.slice(slash + 1), fileOf(Buffer.from(source, 'utf8')));
  for (const declared of facts().files) {
    const path = absolute(declared.path);
    if (path.endsWith('/')) {
      makeFolders(path).times = declared.times;
      continue;
    }
    const at = path.lastIndexOf('/');
    const node = declared.text === undefined ? makeNode(S_IFREG, 0o644) : fileOf(Buffer.from(declared.text, 'utf8'));
    if (declared.text === undefined) node.size = declared.size;
    node.times = declared.times;
    makeFolders(path.slice(0, at)).entries.set(path.slice(at + 1), node);
  }
  openStandard();
}

// The input, which is a file if the scenario says what is in it, and the two outputs.
function openStandard() {
  const { input } = facts();
  const file = input === undefined ? makeNode(S_IFIFO, 0o600) : fileOf(Buffer.from(input, 'binary'));
  file.isInput = true;
  makeFolders('/dev').entries.set('stdin', file);
  for (const fd of [0, 1, 2]) {
    descriptors.set(fd, {
      node: fd === 0 ? file : makeNode(S_IFIFO, 0o600), position: 0, canRead: fd === 0, canWrite: fd > 0, appends: false, path: '',
      output: fd,
    });
  }
}

// ---- paths --------------------------------------------------------------------------------------------------------------

// { folder, name, node }: node undefined when the last part is not there. Throws only a code.
function walk(path, follows, depth = 0) {
  start();
  if (depth > kMostLinks) throw 'ELOOP';
  if (path === '') throw 'ENOENT';
  const parts = partsOf(absolute(path));
  const mustBeFolder = path.endsWith('/');
  const above = [root];
  let name = '';
  let node = root;
  let parent = root;  // of the last part
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    const folder = above[above.length - 1];
    if (part === '..') {
      if (above.length > 1) above.pop();
      node = above[above.length - 1];
      parent = above[above.length - 2] ?? root;
      name = '';
      continue;
    }
    name = part;
    parent = folder;
    node = entryOf(folder, part);
    const isLast = i === parts.length - 1;
    if (node === undefined) {
      if (isLast) return { folder, name, node };
      throw 'ENOENT';
    }
    if (node.type === S_IFLNK && (!isLast || follows || mustBeFolder)) {
      const base = node.target.startsWith('/') ? node.target : `${pathTo(above)}/${node.target}`;
      const rest = parts.slice(i + 1).join('/');
      return walk(rest ? `${base}/${rest}` : base, follows, depth + 1);
    }
    if (!isLast || mustBeFolder) {
      if (!isFolder(node)) throw 'ENOTDIR';
    }
    if (isFolder(node)) above.push(node);
  }
  return { folder: parent, name, node };
}

function pathTo(above) {
  let path = '';
  for (let i = 1; i < above.length; i++) {
    for (const [name, node] of above[i - 1].entries) if (node === above[i]) path += `/${name}`;
  }
  return path;
}

// The same with the error of a system call.
function find(path, syscall, follows = true, dest = undefined, isDest = false) {
  let code;
  try {
    const found = walk(isDest ? dest : path, follows);
    if (found.node !== undefined || isDest) return found;
    code = 'ENOENT';
  } catch (thrown) {
    if (typeof thrown !== 'string') throw thrown;
    code = thrown;
  }
  throw uvException(code, syscall, path, dest);
}

// Where something is made; the folder is there.
function place(path, syscall) {
  try {
    return walk(path, false);
  } catch (thrown) {
    if (typeof thrown !== 'string') throw thrown;
    throw uvException(thrown, syscall, path);
  }
}

// The node at a path, if there is one; for its times.
function peek(path) {
  try {
    return walk(path, true).node;
  } catch (thrown) {
    if (typeof thrown !== 'string') throw thrown;
    return undefined;
  }
}

function touch(node) { node.mtime = node.ctime = native.wallTime(); }

// ---- contents -------------------------------------------------------------------------------------------------------------

// The file has room for this many bytes, and all that it has are there.
function reserve(node, size) {
  const room = node.data === undefined ? 0 : node.data.length;
  if (room >= size && node.data !== undefined) return;
  const data = Buffer.alloc(Math.max(size, node.data === undefined ? node.size : 0, Math.min(2 * room, room + (1 << 22))));
  if (node.data !== undefined) node.data.copy(data, 0, 0, node.size);
  else data.fill(kFill, 0, node.size);
  node.data = data;
}

function resize(node, size) {
  if (node.data !== undefined || size > node.size) reserve(node, Math.max(size, node.size));
  if (node.data !== undefined) node.data.fill(0, Math.min(size, node.size), Math.max(size, node.size));
  node.size = size;
  touch(node);
}

// ---- system calls -----------------------------------------------------------------------------------------------------------

function open(path, flags, mode = 0o666) {
  const canWrite = (flags & (O_WRONLY | O_RDWR)) !== 0;
  let found;
  if (flags & O_CREAT) {
    try {
      found = walk(path, !(flags & O_EXCL));
    } catch (thrown) {
      if (typeof thrown !== 'string') throw thrown;
      throw uvException(thrown, 'open', path);
    }
    if (found.node !== undefined && flags & O_EXCL) throw uvException('EEXIST', 'open', path);
    if (found.node === undefined) {
      if (path.endsWith('/')) throw uvException('EISDIR', 'open', path);
      found.node = makeNode(S_IFREG, mode & 0o777 & ~0o022);
      found.folder.entries.set(found.name, found.node);
      touch(found.folder);
    }
  } else {
    found = find(path, 'open', !(flags & O_NOFOLLOW));
  }
  const { node } = found;
  if (node.type === S_IFSOCK) throw uvException('ENXIO', 'open', path);
  if (node.type === S_IFLNK) throw uvException('ELOOP', 'open', path);
  if (isFolder(node) && (canWrite || flags & O_CREAT)) throw uvException('EISDIR', 'open', path);
  if (!isFolder(node) && flags & O_DIRECTORY) throw uvException('ENOTDIR', 'open', path);
  if (flags & O_TRUNC && canWrite && node.type === S_IFREG) resize(node, 0);
  if (descriptors.size >= kMostDescriptors) throw uvException('EMFILE', 'open', path);
  let fd = kFirstDescriptor;
  while (descriptors.has(fd)) fd++;
  descriptors.set(fd, {
    node, position: 0, canRead: (flags & O_WRONLY) === 0, canWrite, appends: (flags & O_APPEND) !== 0, path,
  });
  return fd;
}

function descriptor(fd, syscall) {
  start();
  const known = descriptors.get(fd);
  if (known === undefined) throw uvException('EBADF', syscall);
  return known;
}

function close(fd) {
  descriptor(fd, 'close');
  descriptors.delete(fd);
}

// At a position; null or less than 0: where the descriptor is.
function read(fd, target, offset, length, position = null) {
  const file = descriptor(fd, 'read');
  if (!file.canRead) throw uvException('EBADF', 'read');
  const { node } = file;
  if (isFolder(node)) throw uvException('EISDIR', 'read');
  const from = position === null || position < 0 ? file.position : Number(position);
  const count = Math.max(0, Math.min(length, node.size - from));
  if (count > 0) {
    if (node.data === undefined) target.fill(kFill, offset, offset + count);
    else target.set(node.data.subarray(from, from + count), offset);
  }
  if (position === null || position < 0) file.position += count;
  return count;
}

function write(fd, bytes, position = null) {
  const file = descriptor(fd, 'write');
  if (!file.canWrite) throw uvException('EBADF', 'write');
  const { node } = file;
  if (file.output > 0) native.write(Buffer.from(bytes).toString('utf8'), file.output === 2);
  if (node.type !== S_IFREG) return bytes.length;
  const isPlaced = position !== null && position >= 0;
  const from = file.appends ? node.size : isPlaced ? Number(position) : file.position;
  const end = from + bytes.length;
  reserve(node, Math.max(end, node.size));
  if (from > node.size) node.data.fill(0, node.size, from);
  node.data.set(bytes, from);
  if (end > node.size) node.size = end;
  if (!isPlaced || file.appends) file.position = end;
  touch(node);
  return bytes.length;
}

function truncate(fd, length) {
  const file = descriptor(fd, 'ftruncate');
  if (!file.canWrite) throw uvException('EINVAL', 'ftruncate');
  resize(file.node, length);
}

function access(path, mode) {
  const { node } = find(path, 'access');
  if (mode & 1 && !isFolder(node) && (node.mode & 0o111) === 0) throw uvException('EACCES', 'access', path);
}

function stat(path, follows) { return find(path, follows ? 'stat' : 'lstat', follows).node; }

function readdir(path, syscall = 'scandir') {
  const { node } = find(path, syscall);
  if (!isFolder(node)) throw uvException('ENOTDIR', syscall, path);
  return namesIn(node).map((name) => ({ name, node: entryOf(node, name) })).filter((entry) => entry.node !== undefined);
}

function mkdir(path, mode) {
  const found = place(path.length > 1 ? path.replace(/\/+$/, '') : path, 'mkdir');
  if (found.node !== undefined) throw uvException('EEXIST', 'mkdir', path);
  found.folder.entries.set(found.name, makeNode(S_IFDIR, mode & 0o777 & ~0o022));
  touch(found.folder);
}

function takeAway(found) {
  if (found.folder.below === undefined) found.folder.entries.delete(found.name);
  else found.folder.entries.set(found.name, null);
  touch(found.folder);
}

function rmdir(path) {
  const found = find(path, 'rmdir', false);
  if (!isFolder(found.node)) throw uvException('ENOTDIR', 'rmdir', path);
  if (namesIn(found.node).length > 0) throw uvException('ENOTEMPTY', 'rmdir', path);
  takeAway(found);
}

function unlink(path) {
  const found = find(path, 'unlink', false);
  if (isFolder(found.node)) throw uvException('EISDIR', 'unlink', path);
  found.node.nlink--;
  takeAway(found);
}

function rename(path, dest) {
  const from = find(path, 'rename', false, dest);
  const to = find(path, 'rename', false, dest, true);
  if (to.node === from.node) return;
  if (to.node !== undefined) {
    if (isFolder(to.node) && !isFolder(from.node)) throw uvException('EISDIR', 'rename', path, dest);
    if (!isFolder(to.node) && isFolder(from.node)) throw uvException('ENOTDIR', 'rename', path, dest);
    if (isFolder(to.node) && namesIn(to.node).length > 0) throw uvException('ENOTEMPTY', 'rename', path, dest);
  }
  if (isFolder(from.node) && `${absolute(dest)}/`.startsWith(`${absolute(path)}/`)) throw uvException('EINVAL', 'rename', path, dest);
  takeAway(from);
  to.folder.entries.set(to.name, from.node);
  touch(to.folder);
}

function copyFile(path, dest, flags) {
  const from = find(path, 'copyfile', true, dest);
  if (isFolder(from.node)) throw uvException('EISDIR', 'copyfile', path, dest);
  const to = find(path, 'copyfile', true, dest, true);
  if (to.node !== undefined && flags & 1) throw uvException('EEXIST', 'copyfile', path, dest);
  if (to.node !== undefined && isFolder(to.node)) throw uvException('EISDIR', 'copyfile', path, dest);
  const copy = to.node ?? makeNode(S_IFREG, from.node.mode & 0o777);
  copy.data = from.node.data === undefined ? undefined : Buffer.from(from.node.data.subarray(0, from.node.size));
  copy.size = from.node.size;
  touch(copy);
  to.folder.entries.set(to.name, copy);
}

function link(path, dest) {
  const from = find(path, 'link', false, dest);
  const to = find(path, 'link', false, dest, true);
  if (isFolder(from.node)) throw uvException('EPERM', 'link', path, dest);
  if (to.node !== undefined) throw uvException('EEXIST', 'link', path, dest);
  from.node.nlink++;
  to.folder.entries.set(to.name, from.node);
}

function symlink(target, path) {
  let found;
  try {
    found = walk(path, false);
    if (found.node !== undefined) throw 'EEXIST';
  } catch (thrown) {
    if (typeof thrown !== 'string') throw thrown;
    throw uvException(thrown, 'symlink', target, path);
  }
  const node = makeNode(S_IFLNK, 0o777);
  node.target = target;
  node.size = target.length;
  found.folder.entries.set(found.name, node);
}

function readlink(path) {
  const { node } = find(path, 'readlink', false);
  if (node.type !== S_IFLNK) throw uvException('EINVAL', 'readlink', path);
  return node.target;
}

// The path without links, '.' and '..'.
function realpath(path, syscall = 'realpath') {
  let rest = partsOf(absolute(path));
  find(path, syscall);
  const done = [];
  for (let links = 0; rest.length > 0;) {
    const part = rest.shift();
    if (part === '..') {
      done.pop();
      continue;
    }
    const here = `/${[...done, part].join('/')}`;
    const { node } = walk(here, false);
    if (node.type !== S_IFLNK) {
      done.push(part);
      continue;
    }
    if (++links > kMostLinks) throw uvException('ELOOP', syscall, path);
    if (node.target.startsWith('/')) done.length = 0;
    rest = [...partsOf(node.target), ...rest];
  }
  return `/${done.join('/')}`;
}

// The name of a server at a path: undefined, or the code of what bind(2) says.
function bindSocket(path, more) {
  try {
    const found = walk(path, false);
    if (found.node !== undefined) return 'EADDRINUSE';
    found.folder.entries.set(found.name, makeNode(S_IFSOCK, 0o755 | more));
    touch(found.folder);
    return undefined;
  } catch (thrown) {
    if (typeof thrown !== 'string') throw thrown;
    return thrown === 'ENOENT' ? 'EACCES' : thrown;
  }
}

function unbindSocket(path) { if (peek(path)?.type === S_IFSOCK) unlink(path); }

function chmod(node, mode) { node.mode = node.type | (mode & 0o7777); node.ctime = native.wallTime(); }
function chown(node, uid, gid) { node.uid = uid; node.gid = gid; node.ctime = native.wallTime(); }
function utimes(node, atime, mtime) { node.atime = atime; node.mtime = mtime; node.ctime = native.wallTime(); }

module.exports = {
  access, bindSocket, chmod, chown, close, copyFile, descriptor, find, isFolder, link, mkdir, open, peek, read, readdir, readlink,
  realpath, rename, rmdir, stat, symlink, truncate, unbindSocket, unlink, utimes, write, kFolder,
};
