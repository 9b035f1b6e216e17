// Addresses, ports and the errors that name them (lib/internal/net.js, lib/internal/errors.js).
'use strict';

const { makeNodeError, received } = require('internal/errors');
const { invalidArgType, invalidArgValue } = require('internal/validate');
const { atLeast } = require('internal/version');

const kOctet = '(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])';
const ipv4 = new RegExp(`^(?:${kOctet}\\.){3}${kOctet}$`);

function isIPv4(text) { return ipv4.test(`${text}`); }

// Eight groups of 16 bits, of which :: stands for some; an IPv4 address may be the last two; %zone may follow.
function isIPv6(text) {
  const [address, zone] = `${text}`.split('%', 2);
  if (zone !== undefined && !/^[0-9a-zA-Z-.:]+$/.test(zone)) return false;
  if (`${text}`.split('%').length > 2 || !/^[0-9a-fA-F:.]+$/.test(address)) return false;
  const halves = address.split('::');
  if (halves.length > 2) return false;
  let count = 0;
  for (let i = 0; i < halves.length; i++) {
    if (halves[i] === '') continue;
    const groups = halves[i].split(':');
    for (let j = 0; j < groups.length; j++) {
      const isLast = i === halves.length - 1 && j === groups.length - 1;
      if (isLast && groups[j].includes('.')) {
        if (!isIPv4(groups[j])) return false;
        count += 2;
      } else if (/^[0-9a-fA-F]{1,4}$/.test(groups[j])) {
        ++count;
      } else {
        return false;
      }
    }
  }
  return halves.length === 2 ? count < 8 : count === 8;
}

function isIP(text) { return isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0; }

// The machine's own addresses, and what stands for all of them.
function isLoopback(address) {
  return /^(?:::ffff:)?127\./.test(address) || ['::1', '::', '0.0.0.0', '::ffff:0.0.0.0'].includes(address);
}

function validatePort(port, name = 'Port', allowZero = true) {
  if ((typeof port !== 'number' && typeof port !== 'string') || (typeof port === 'string' && port.trim().length === 0) ||
      +port !== (+port >>> 0) || +port > 0xffff || (+port === 0 && !allowZero)) {
    const code = 'ERR_SOCKET_BAD_PORT';
    if (!atLeast(10)) throw new RangeError('"port" argument must be >= 0 and < 65536');
    const text = atLeast(18) ? `${name} should be ${allowZero ? '>=' : '>'} 0 and < 65536.${received(port)}.` :
      `Port should be >= 0 and < 65536. Received ${port}.`;
    throw makeNodeError(RangeError, code, text);
  }
  return +port | 0;
}

const kHints = 32 | 8 | 16;  // ADDRCONFIG, V4MAPPED, ALL

function validateHints(hints) {
  if ((hints & ~kHints) === 0) return;
  if (!atLeast(10)) throw new TypeError('Invalid argument: hints must use valid flags');
  if (atLeast(16)) throw invalidArgValue('hints', hints);
  throw makeNodeError(TypeError, 'ERR_INVALID_OPT_VALUE', `The value "${hints}" is invalid for option "hints"`);
}

const numbers = {
  EACCES: -13, EADDRINUSE: -98, EADDRNOTAVAIL: -99, EBADF: -9, ECANCELED: -125, ECONNREFUSED: -111, ECONNRESET: -104, EINVAL: -22,
  ENETUNREACH: -101, ENOENT: -2, ENOTCONN: -107, EPIPE: -32, ETIMEDOUT: -110,
};

// A failed call of the system.
function errnoException(code, call, note) {
  const error = new Error(`${call} ${code}${note ? ` ${note}` : ''}`);
  error.errno = atLeast(14) ? numbers[code] : code;
  error.code = code;
  error.syscall = call;
  return error;
}

// The same at an address; port undefined: a path.
function exceptionWithAddress(code, call, address, port, note) {
  const place = port > 0 ? `${address}:${port}` : address;
  const error = errnoException(code, call, `${place}${note ? ` - Local (${note})` : ''}`);
  error.address = address;
  if (port) error.port = port;
  return error;
}

// uvExceptionWithHostPort(): tells what the code means.
function listenException(code, address, port) {
  const meaning = {
    EADDRINUSE: 'address already in use', EACCES: 'permission denied', EADDRNOTAVAIL: 'address not available', EINVAL: 'invalid argument',
  }[code];
  const place = port > 0 ? `${address}:${port}` : address;
  const error = new Error(`listen ${code}${atLeast(10) && meaning ? `: ${meaning}` : ''} ${place}`);
  if (atLeast(10)) error.code = code;
  error.errno = atLeast(14) ? numbers[code] : code;
  if (!atLeast(10)) error.code = code;
  error.syscall = 'listen';
  error.address = address;
  if (port) error.port = port;
  return error;
}

module.exports = {
  isIP, isIPv4, isIPv6, isLoopback, validateHints, validatePort, errnoException, exceptionWithAddress, listenException, invalidArgType,
};
