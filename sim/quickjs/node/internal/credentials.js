// The user and the groups of the process (lib/internal/bootstrap/switches/does_own_process_state.js, src/node_credentials.cc).
// It starts as root of a system that knows few others.
'use strict';

const { makeNodeError } = require('internal/errors');
const { invalidArgType, outOfRange } = require('internal/validate');
const { atLeast } = require('internal/version');

const kUsers = { __proto__: null, root: 0, daemon: 1, bin: 2, sys: 3, nobody: 65534 };
const kGroups = { __proto__: null, root: 0, daemon: 1, bin: 2, sys: 3, nogroup: 65534 };
const kLargest = 2 ** 32 - 1;

const own = { uid: 0, euid: 0, gid: 0, egid: 0, groups: [0] };

// ---- what is given -------------------------------------------------------------------------------------------------------

function validateId(id, name) {
  if (typeof id === 'string') return;
  if (typeof id !== 'number') throw invalidArgType(name, ['number', 'string'], id);
  if (!Number.isInteger(id)) throw outOfRange(name, 'an integer', id);
  const range = atLeast(16) ? `>= 0 && <= ${kLargest}` : `>= 0 && < ${kLargest + 1}`;
  if (id < 0 || id > kLargest) throw outOfRange(name, range, id);
}

// Before Node 12: checked by the function itself, in its own words.
function validateOld(id, words) {
  if (typeof id !== 'string' && !(Number.isInteger(id) && id >= 0 && id <= kLargest)) throw new TypeError(words);
}

function unknown(kind, id) { return makeNodeError(Error, 'ERR_UNKNOWN_CREDENTIAL', `${kind} identifier does not exist: ${id}`); }

function idOf(id, table, kind, call) {
  if (typeof id === 'number') return id;
  if (id in table) return table[id];
  throw atLeast(12) ? unknown(kind, id) : new Error(`${call} ${kind.toLowerCase()} id does not exist`);
}

function demandRoot(call) {
  if (own.euid === 0) return;
  throw Object.assign(new Error('EPERM, Operation not permitted'), { errno: 1, code: 'EPERM', syscall: call });
}

// ---- functions of process --------------------------------------------------------------------------------------------------

function setter(call, table, kind, fields) {
  return { [call](id) {
    if (atLeast(12)) validateId(id, 'id');
    else validateOld(id, `${call} argument must be a number or ${call[3] === 'e' ? '' : 'a '}string`);
    const number = idOf(id, table, kind, call);
    if (number !== own[fields[0]]) demandRoot(call);
    for (const field of fields) own[field] = number;
  } }[call];
}

function initgroups(user, extraGroup) {
  if (atLeast(12)) {
    validateId(user, 'user');
    validateId(extraGroup, 'extraGroup');
  } else {
    validateOld(user, 'argument 1 must be a number or a string');
    validateOld(extraGroup, 'argument 2 must be a number or a string');
  }
  const group = atLeast(12) || extraGroup in kGroups || typeof extraGroup === 'number' ? idOf(extraGroup, kGroups, 'Group') : undefined;
  if (group === undefined) throw new Error('initgroups extra group not found');
  const isKnown = typeof user === 'string' ? user in kUsers : Object.values(kUsers).includes(user);
  if (!isKnown) throw atLeast(12) ? unknown('User', user) : new Error('initgroups user not found');
  demandRoot('initgroups');
  own.groups = [group];
}

function setgroups(groups) {
  if (!Array.isArray(groups)) {
    throw atLeast(12) ? invalidArgType('groups', 'Array', groups) : new TypeError('argument 1 must be an array');
  }
  if (atLeast(12)) groups.forEach((group, i) => validateId(group, `groups[${i}]`));
  else if (!groups.every((group) => group in kGroups || (Number.isInteger(group) && group >= 0))) throw new Error('group name not found');
  const numbers = groups.map((group) => idOf(group, kGroups, 'Group'));
  demandRoot('setgroups');
  own.groups = numbers;
}

const credentials = [
  function getuid() { return own.uid; }, function geteuid() { return own.euid; },
  function getgid() { return own.gid; }, function getegid() { return own.egid; },
  function getgroups() { return own.groups.includes(own.egid) ? [...own.groups] : [...own.groups, own.egid]; },
  setter('setuid', kUsers, 'User', ['uid', 'euid']), setter('seteuid', kUsers, 'User', ['euid']),
  setter('setgid', kGroups, 'Group', ['gid', 'egid']), setter('setegid', kGroups, 'Group', ['egid']),
  initgroups, setgroups,
];

module.exports = { credentials };
