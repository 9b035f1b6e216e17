// Child processes (lib/child_process.js). Nothing is run: internal/commands.js says what a command does.
'use strict';

const native = internalBinding;
const { ChildProcess, find, signalOf, spawnError } = require('internal/child_process');
const { Buffer } = require('buffer');
const { makeNodeError } = require('internal/errors');
const { errors } = require('internal/uv_errors');
const { setTimeout, clearTimeout } = require('timers');
const { internalTick } = require('internal/ticks');
const { atLeast, has } = require('internal/version');
const {
  abortErrorOf, invalidArgType, invalidArgValue, outOfRange, validateAbortSignal, validateFunction, validateObject, validateString,
} = require('internal/validate');

const customPromisify = Symbol.for('nodejs.util.promisify.custom');
const kMostBuffered = 1024 * 1024;

function checkTimeout(timeout) {
  if (timeout != null && !(Number.isInteger(timeout) && timeout >= 0)) throw outOfRange('timeout', 'an unsigned integer', timeout);
}
function checkMaxBuffer(size) {
  if (size != null && !(typeof size === 'number' && size >= 0)) throw outOfRange('options.maxBuffer', 'a positive number', size);
}

let wasDeprecationTold = false;
function tellDeprecation() {
  if (wasDeprecationTold || !atLeast(24)) return;
  wasDeprecationTold = true;
  native.process.emitWarning('Passing args to a child process with shell option true can lead to security vulnerabilities, as the ' +
                             'arguments are not escaped, only concatenated.', 'DeprecationWarning', 'DEP0190');
}

// [file, args with the name first, options]
function normalize(file, args, options) {
  validateString(file, 'file');
  if (file.length === 0) throw invalidArgValue('file', file, 'cannot be empty');
  if (Array.isArray(args)) {
    args = args.slice();
  } else if (args == null) {
    args = [];
  } else if (typeof args !== 'object') {
    throw invalidArgType('args', 'object', args);
  } else {
    options = args;
    args = [];
  }
  if (options !== undefined) validateObject(options, 'options');
  options = { __proto__: null, ...options };
  if (options.shell != null && typeof options.shell !== 'boolean' && typeof options.shell !== 'string') {
    throw invalidArgType('options.shell', ['boolean', 'string'], options.shell);
  }
  if (options.shell) {
    if (args.length > 0) tellDeprecation();
    args = ['-c', [file, ...args].join(' ')];
    file = typeof options.shell === 'string' ? options.shell : '/bin/sh';
  }
  return [file, [typeof options.argv0 === 'string' ? options.argv0 : file, ...args], options];
}

function abortChild(child, signal, reason) {
  if (!child) return;
  try {
    if (child.kill(signal)) child.emit('error', reason);
  } catch (error) {
    child.emit('error', error);
  }
}

function spawn(command, args, options) {
  [command, args, options] = normalize(command, args, options);
  checkTimeout(options.timeout);
  if (options.signal !== undefined && atLeast(15)) validateAbortSignal(options.signal, 'options.signal');
  const killSignal = options.killSignal === undefined ? 'SIGTERM' : signalOf(options.killSignal);
  const child = new ChildProcess();
  child.spawn({ ...options, file: command, args });
  if (options.timeout > 0 && has('15.13 14.18')) {
    let timer = setTimeout(() => {
      if (!timer) return;
      try { child.kill(killSignal); } catch (error) { child.emit('error', error); }
      timer = null;
    }, options.timeout);
    child.once('exit', () => {
      if (!timer) return;
      clearTimeout(timer);
      timer = null;
    });
  }
  if (options.signal && atLeast(15)) {
    const { signal } = options;
    const onAbort = () => abortChild(child, killSignal, abortErrorOf(signal));
    if (signal.aborted) {
      internalTick(onAbort);
    } else {
      signal.addEventListener('abort', onAbort, { once: true });
      child.once('exit', () => signal.removeEventListener('abort', onAbort));
    }
  }
  return child;
}

// ---- with the whole output ---------------------------------------------------------------------------------------------------

function failed(command, stderr, code, killed, signal) {
  const error = new Error(`Command failed: ${command}\n${stderr}`);
  const number = code < 0 ? Object.keys(errors).find((name) => errors[name][0] === code) : code;
  if (atLeast(18)) Object.assign(error, { code: number, killed, signal, cmd: command });
  else Object.assign(error, { killed, code: number, signal, cmd: command });
  return error;
}

class Collected {
  parts = [];
  size = 0;
  constructor(stream, name, isText, encoding, most, stop) {
    if (isText) stream.setEncoding(encoding);
    stream.on('data', (chunk) => {
      const size = isText ? Buffer.byteLength(chunk, encoding) : chunk.length;
      this.size += size;
      if (this.size <= most) {
        this.parts.push(chunk);
        return;
      }
      if (!atLeast(10)) {
        stop(new Error(`${name} maxBuffer exceeded`));
        return;
      }
      this.parts.push(chunk.slice(0, most - (this.size - size)));
      stop(makeNodeError(RangeError, 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER', `${name} maxBuffer length exceeded`));
    });
  }
}

function execFile(file, args, options, callback) {
  if (Array.isArray(args)) {
    args = args.slice();
  } else if (args != null && typeof args === 'object') {
    callback = options;
    options = args;
    args = null;
  } else if (typeof args === 'function') {
    callback = args;
    options = null;
    args = null;
  }
  args ??= [];
  if (typeof options === 'function') callback = options;
  else if (options != null) validateObject(options, 'options');
  if (typeof options !== 'object') options = null;
  if (callback != null) validateFunction(callback, 'callback');
  options = {
    encoding: 'utf8', timeout: 0, maxBuffer: kMostBuffered, killSignal: 'SIGTERM', cwd: null, env: null, shell: false, ...options,
  };
  checkTimeout(options.timeout);
  checkMaxBuffer(options.maxBuffer);
  const child = spawn(file, args, { cwd: options.cwd, env: options.env, shell: options.shell, signal: options.signal });
  const isText = options.encoding !== 'buffer' && Buffer.isEncoding(options.encoding);
  let isKilled = false;
  let hasExited = false;
  let timer = null;
  let failure = null;
  const command = args.length > 0 ? `${file} ${args.join(' ')}` : file;
  const kill = () => {
    if (child.stdout) child.stdout.destroy();
    if (child.stderr) child.stderr.destroy();
    isKilled = true;
    try {
      child.kill(options.killSignal);
    } catch (error) {
      failure ??= error;
      onExit(undefined, undefined);
    }
  };
  const collect = (name) => (child[name] ? new Collected(child[name], name, isText, options.encoding, options.maxBuffer, (error) => {
    failure = error;
    kill();
  }) : { parts: [] });
  const outputs = [];
  function onExit(code, signal) {
    if (hasExited) return;
    hasExited = true;
    if (timer) clearTimeout(timer);
    timer = null;
    if (!callback) return;
    const [stdout, stderr] = outputs.map(({ parts }) => (isText ? parts.join('') : Buffer.concat(parts)));
    if (!failure && code === 0 && signal === null) {
      callback(null, stdout, stderr);
      return;
    }
    failure ??= failed(command, stderr, code, child.killed || isKilled, signal);
    failure.cmd ??= command;
    callback(failure, stdout, stderr);
  }
  if (options.timeout > 0) {
    timer = setTimeout(() => {
      kill();
      timer = null;
    }, options.timeout);
  }
  outputs.push(collect('stdout'), collect('stderr'));
  child.addListener('close', onExit);
  child.addListener('error', (error) => {
    failure = error;
    if (child.stdout) child.stdout.destroy();
    if (child.stderr) child.stderr.destroy();
    onExit(undefined, undefined);
  });
  return child;
}

function exec(command, options, callback) {
  validateString(command, 'command');
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  options = { __proto__: null, ...options };
  options.shell = typeof options.shell === 'string' ? options.shell : true;
  return module.exports.execFile(command, options, callback);
}

for (const original of [exec, execFile]) {
  const value = { [original.name](...args) {
    let done;
    let fail;
    const promise = new Promise((resolve, reject) => {
      done = resolve;
      fail = reject;
    });
    promise.child = original(...args, (error, stdout, stderr) => {
      if (error === null) return done({ stdout, stderr });
      error.stdout = stdout;
      error.stderr = stderr;
      return fail(error);
    });
    return promise;
  } }[original.name];
  Object.defineProperty(original, customPromisify, { __proto__: null, value, enumerable: false });
}

// ---- and waiting for it ------------------------------------------------------------------------------------------------------

function spawnSync(file, args, options) {
  [file, args, options] = normalize(file, args, { maxBuffer: kMostBuffered, ...Array.isArray(args) || args == null ? options : args });
  checkTimeout(options.timeout);
  checkMaxBuffer(options.maxBuffer);
  const result = find(file, args.slice(1).map(String));
  if (result === undefined) {
    const error = spawnError(`spawnSync ${file}`);
    error.path = file;
    error.spawnargs = args.slice(1);
    const none = atLeast(22) ? undefined : null;
    return { error, status: null, signal: null, output: null, pid: 0, stdout: none, stderr: none };
  }
  const limit = options.timeout > 0 ? options.timeout * 1e6 : Infinity;
  const isLate = result.time > limit;
  native.holdUp(Math.min(result.time, limit));
  const stdio = Array.isArray(options.stdio) ? options.stdio : [options.stdio, options.stdio, options.stdio];
  const textOf = (i, text) => {
    if ((stdio[i] ?? 'pipe') === 'ignore') return null;
    if (stdio[i] === 'inherit' || stdio[i] === i) {
      if (!isLate && text !== '') native.write(text, i === 2);
      return null;
    }
    const bytes = Buffer.from(isLate ? '' : text);
    return options.encoding && options.encoding !== 'buffer' ? bytes.toString(options.encoding) : bytes;
  };
  const output = [null, textOf(1, result.stdout), textOf(2, result.stderr)];
  const killed = isLate ? options.killSignal ?? 'SIGTERM' : result.signal || null;
  const ofKilled = atLeast(6) ? null : 0;
  const told = {
    status: killed === null ? result.code : ofKilled, signal: killed, output, pid: native.process.pid + 1, stdout: output[1],
    stderr: output[2],
  };
  if (!isLate) return told;
  const error = new Error(`spawnSync ${file} ETIMEDOUT`);
  Object.assign(error, {
    errno: atLeast(14) ? -110 : 'ETIMEDOUT', code: 'ETIMEDOUT', syscall: `spawnSync ${file}`, path: file, spawnargs: args.slice(1),
  });
  return { error, ...told };
}

function checked(result, command, showsErrors) {
  if (showsErrors && result.stderr) native.process.stderr.write(result.stderr);
  if (result.error) throw Object.assign(result.error, { ...result, error: undefined });
  if (result.status === 0) return result.stdout;
  let text = `Command failed: ${command}`;
  if (result.stderr && (result.stderr.length > 0 || !atLeast(8))) text += `\n${result.stderr.toString()}`;
  throw Object.assign(new Error(text), result);
}

function execFileSync(file, args, options) {
  if (args != null && !Array.isArray(args)) [args, options] = [[], args];
  const isShown = !options?.stdio;
  return checked(spawnSync(file, args ?? [], options), [file, ...args ?? []].join(' '), isShown);
}

function execSync(command, options) {
  validateString(command, 'command');
  const shell = typeof options?.shell === 'string' ? options.shell : true;
  return checked(spawnSync(command, [], { ...options, shell }), command, !options?.stdio);
}

function fork() {
  throw makeNodeError(Error, 'ERR_LOOPSIM_NO_FORK', 'child_process.fork is not simulated: a child runs no JavaScript here; ' +
                      'the scenario\'s "commands" say what spawn(), exec() and execFile() find');
}

module.exports = { ChildProcess, exec, execFile, execFileSync, execSync, fork, spawn, spawnSync };
