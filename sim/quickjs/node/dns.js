// Names of hosts (lib/dns.js). Every name has an address, of those that are kept for documentation (RFC 5737, RFC 3849),
// but those that end in .invalid; localhost has its own. lookup() is slow work of the pool, what resolves is on the network.
'use strict';

const { makeNodeError } = require('internal/errors');
const { invalidArgType, validateFunction, validateInteger, validateString } = require('internal/validate');
const { atLeast } = require('internal/version');
const { validateHints } = require('internal/net_address');
const { kNetwork, kSlow, givenTime, request, start, startPromise } = require('internal/work');
const clock = require('internal/virtual_clock');

const dns = module.exports;

const codes = {
  NODATA: 'ENODATA', FORMERR: 'EFORMERR', SERVFAIL: 'ESERVFAIL', NOTFOUND: 'ENOTFOUND', NOTIMP: 'ENOTIMP', REFUSED: 'EREFUSED',
  BADQUERY: 'EBADQUERY', BADNAME: 'EBADNAME', BADFAMILY: 'EBADFAMILY', BADRESP: 'EBADRESP', CONNREFUSED: 'ECONNREFUSED',
  TIMEOUT: 'ETIMEOUT', EOF: 'EOF', FILE: 'EFILE', NOMEM: 'ENOMEM', DESTRUCTION: 'EDESTRUCTION', BADSTR: 'EBADSTR',
  BADFLAGS: 'EBADFLAGS', NONAME: 'ENONAME', BADHINTS: 'EBADHINTS', NOTINITIALIZED: 'ENOTINITIALIZED',
  LOADIPHLPAPI: 'ELOADIPHLPAPI', ADDRGETNETWORKPARAMS: 'EADDRGETNETWORKPARAMS', CANCELLED: 'ECANCELLED',
};

// ---- names and addresses --------------------------------------------------------------------------------------------------

function familyOf(host) {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(host) && host.split('.').every((part) => Number(part) <= 255)) return 4;
  return /^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(host) ? 6 : 0;
}

function numberOf(host) {
  let sum = 7;
  for (let i = 0; i < host.length; i++) sum = (sum * 31 + host.charCodeAt(i)) % 254;
  return sum + 1;
}

// A part of a name has 63 letters at most.
function isUnknown(host) {
  return host === 'invalid' || host.endsWith('.invalid') || host.split('.').some((label) => label.length > 63);
}

function addressOf(host, family) {
  if (host === 'localhost' || host.endsWith('.localhost')) return family === 6 ? '::1' : '127.0.0.1';
  return family === 6 ? `2001:db8::${numberOf(host).toString(16)}` : `192.0.2.${numberOf(host)}`;
}

function failure(code, syscall, hostname) {
  const error = new Error(`${syscall} ${code} ${hostname}`);
  Object.assign(error, code === 'ENOTFOUND' && syscall === 'getaddrinfo' && atLeast(14) ? { errno: -3008 }
    : code === 'ENOTFOUND' && atLeast(14) ? { errno: undefined } : { errno: code });
  return Object.assign(error, { code, syscall, hostname });
}

// ---- lookup -----------------------------------------------------------------------------------------------------------------

function lookupOptions(options) {
  if (typeof options === 'number') options = { family: options };
  let { family = 0, all = false, order } = options ?? {};
  if (options?.hints != null) validateHints(options.hints);
  if (family === 'IPv4') family = 4;
  if (family === 'IPv6') family = 6;
  if (family !== 0 && family !== 4 && family !== 6) {
    throw makeNodeError(TypeError, 'ERR_INVALID_ARG_VALUE',
                        `The property 'options.family' must be one of: 0, 4, 6. Received ${family}`);
  }
  return { family, all, order };
}

// Its result is a list of { address, family }.
function* lookupSteps(host, { family }) {
  const told = clock.lookup(host);
  return yield request('lookup', told ?? givenTime('dns.lookup') ?? 0, () => {
    if (told !== null) return [{ address: '127.0.0.1', family: 4 }];
    if (isUnknown(host)) throw failure('ENOTFOUND', 'getaddrinfo', host);
    const families = family === 0 ? [4, 6] : [family];
    return families.map((one) => ({ address: addressOf(host, one), family: one }));
  });
}

// What needs no request: { result }.
function knownAddress(host, { family, all }) {
  if (!host) return { list: all ? [] : [{ address: null, family: family === 6 ? 6 : 4 }] };
  const own = familyOf(host);
  return own === 0 ? undefined : { list: [{ address: host, family: own }] };
}

function checkHost(host) {
  if (!host && atLeast(26)) {
    const { inspect } = require('internal/inspect');
    throw makeNodeError(TypeError, 'ERR_INVALID_ARG_VALUE',
                        `The argument 'hostname' must be a non-empty string. Received ${inspect(host)}`);
  }
  if (host && typeof host !== 'string') throw invalidArgType('hostname', 'string', host);
  return host ? String(host) : '';
}

function lookup(hostname, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  const host = checkHost(hostname);
  validateFunction(callback, 'callback');
  const given = lookupOptions(options);
  const reply = (list) => { if (given.all) callback(null, list); else callback(null, list[0].address, list[0].family); };
  const known = knownAddress(host, given);
  if (known) {
    require('process').nextTick(reply, known.list);
    return {};
  }
  start('dns', 'lookup', lookupSteps(host, given), (error, list) => { if (error) callback(error); else reply(list); }, callback, kSlow);
  return {};
}
Object.defineProperty(lookup, Symbol.for('nodejs.util.promisify.custom'), {
  __proto__: null, configurable: true,
  value: (hostname, options) => new Promise((resolve, reject) => {
    lookup(hostname, options, (error, address, family) => {
      if (error) reject(error);
      else resolve(Array.isArray(address) ? address : { address, family });
    });
  }),
});

function* serviceSteps(address, port) {
  return yield request('lookupService', givenTime('dns.lookupService') ?? 0, () => {
    const names = { 22: 'ssh', 25: 'smtp', 53: 'domain', 80: 'http', 443: 'https' };
    return { hostname: /^(127\.|::1$)/.test(address) ? 'localhost' : address, service: names[port] ?? String(port) };
  });
}

function checkService(address, port) {
  if (familyOf(address) === 0) {
    throw makeNodeError(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'address' is invalid. Received '${address}'`);
  }
  validateInteger(+port, 'port', 0, 65535);
}

function lookupService(address, port, callback) {
  checkService(address, port);
  validateFunction(callback, 'callback');
  start('dns', 'lookupService', serviceSteps(address, +port), (error, it) => {
    if (error) callback(error);
    else callback(null, it.hostname, it.service);
  }, callback, kSlow);
}

// ---- resolve ------------------------------------------------------------------------------------------------------------------

// [function, record, syscall, what it gives]
const records = [
  ['resolve4', 'A', 'queryA', (name, options) => [addressOf(name, 4)].map((address) => (options?.ttl ? { address, ttl: 60 } : address))],
  ['resolve6', 'AAAA', 'queryAaaa',
   (name, options) => [addressOf(name, 6)].map((address) => (options?.ttl ? { address, ttl: 60 } : address))],
  ['resolveAny', 'ANY', 'queryAny', (name) => [{ address: addressOf(name, 4), ttl: 60, type: 'A' }]],
  ['resolveCaa', 'CAA', 'queryCaa', undefined],
  ['resolveCname', 'CNAME', 'queryCname', undefined],
  ['resolveMx', 'MX', 'queryMx', (name) => [{ exchange: `mail.${name}`, priority: 10 }]],
  ['resolveNaptr', 'NAPTR', 'queryNaptr', undefined],
  ['resolveNs', 'NS', 'queryNs', (name) => [`ns1.${name}`, `ns2.${name}`]],
  ['resolvePtr', 'PTR', 'queryPtr', undefined],
  ['resolveSoa', 'SOA', 'querySoa', (name) => (
    { nsname: `ns1.${name}`, hostmaster: `hostmaster.${name}`, serial: 1, refresh: 3600, retry: 600, expire: 86400, minttl: 60 })],
  ['resolveSrv', 'SRV', 'querySrv', undefined],
  ['resolveTxt', 'TXT', 'queryTxt', undefined],
];

function* resolveSteps(name, [, , syscall, answer], options) {
  return yield request('resolve', givenTime('dns.resolve') ?? 0, () => {
    if (isUnknown(name)) throw failure('ENOTFOUND', syscall, name);
    if (answer === undefined) throw failure('ENODATA', syscall, name);
    return answer(name, options);
  });
}

function* reverseSteps(ip) {
  return yield request('reverse', givenTime('dns.reverse') ?? 0, () => {
    if (/^(127\.|::1$)/.test(ip)) return ['localhost'];
    throw failure('ENOTFOUND', 'getHostByAddr', ip);
  });
}

function checkAddress(ip) {
  validateString(ip, 'name');
  if (familyOf(ip) !== 0) return;
  throw Object.assign(new Error(`getHostByAddr EINVAL ${ip}`), { errno: -22, code: 'EINVAL', syscall: 'getHostByAddr', hostname: ip });
}

function recordOf(type) {
  const found = records.find(([, record]) => record === type);
  if (found) return found;
  throw makeNodeError(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'rrtype' is invalid. Received '${type}'`);
}

// ---- the class and the module ---------------------------------------------------------------------------------------------------

let servers = ['192.0.2.53'];

class Resolver {
  #servers = [...servers];
  cancel() {}
  getServers() { return [...this.#servers]; }
  setServers(list) { this.#servers = [...list]; }
  setLocalAddress() {}
}

class PromiseResolver extends Resolver {}

const promises = {};
for (const row of records) {
  const [name] = row;
  const withCallback = {
    [name](hostname, options, callback) {
      if (typeof options === 'function') {
        callback = options;
        options = undefined;
      }
      validateString(hostname, 'name');
      validateFunction(callback, 'callback');
      start('dns', 'resolve', resolveSteps(hostname, row, options), callback, callback, kNetwork);
      return {};
    },
  }[name];
  const withPromise = {
    [name](hostname, options) {
      validateString(hostname, 'name');
      return startPromise('dns', 'resolve', resolveSteps(hostname, row, options), kNetwork);
    },
  }[name];
  dns[name] = Resolver.prototype[name] = withCallback;
  promises[name] = PromiseResolver.prototype[name] = withPromise;
}

dns.resolve = Resolver.prototype.resolve = function resolve(hostname, type, callback) {
  if (typeof type === 'function') {
    callback = type;
    type = 'A';
  } else if (typeof type !== 'string') {
    throw invalidArgType('rrtype', 'string', type);
  }
  return dns[recordOf(type)[0]](hostname, callback);
};
promises.resolve = PromiseResolver.prototype.resolve = function resolve(hostname, type = 'A') {
  validateString(type, 'rrtype');
  return promises[recordOf(type)[0]](hostname);
};
dns.reverse = Resolver.prototype.reverse = function reverse(ip, callback) {
  checkAddress(ip);
  validateFunction(callback, 'callback');
  start('dns', 'reverse', reverseSteps(ip), callback, callback, kNetwork);
  return {};
};
promises.reverse = PromiseResolver.prototype.reverse = function reverse(ip) {
  checkAddress(ip);
  return startPromise('dns', 'reverse', reverseSteps(ip), kNetwork);
};

promises.lookup = function lookup(hostname, options) {
  const host = checkHost(hostname);
  const given = lookupOptions(options);
  const reply = (list) => (given.all ? list : { address: list[0].address, family: list[0].family });
  const known = knownAddress(host, given);
  if (known) return Promise.resolve(reply(known.list));
  function* steps() { return reply(yield* lookupSteps(host, given)); }
  return startPromise('dns', 'lookup', steps(), kSlow);
};
promises.lookupService = function lookupService(address, port) {
  checkService(address, port);
  return startPromise('dns', 'lookupService', serviceSteps(address, +port), kSlow);
};

let order = 'verbatim';
const shared = {
  getServers: () => [...servers],
  setServers(list) { servers = [...list]; },
  getDefaultResultOrder: () => order,
  setDefaultResultOrder(value) { order = value; },
  ...codes,
};
Object.assign(dns, { lookup, lookupService, Resolver, ADDRCONFIG: 32, ALL: 16, V4MAPPED: 8 }, shared);
Object.assign(promises, { Resolver: PromiseResolver }, shared);
Object.defineProperty(dns, 'promises', { __proto__: null, configurable: true, enumerable: true, get: () => promises });
