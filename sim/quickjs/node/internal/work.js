// Operations of one request after another: to the thread pool or the network, or, for the Sync forms, on the thread
// itself (the FSReqCallback of src/node_file.cc, ReqWrap in general).
//
// `steps` is a generator. It yields request(...) for each: how it is called, what it takes, and what it does when that
// time is over; it gets the result of that, or the exception. What it returns, or throws, is the operation's outcome.
'use strict';

const native = internalBinding;
const { Resource } = require('internal/async_ids');
const { inSync } = require('internal/uv_errors');
const { atLeast } = require('internal/version');

const kCpu = 1;
const kSlow = 2;
const kNetwork = 4;

// Requests that are under way, as the program may see them (process._getActiveRequests()).
class FSReqCallback {}
class GetAddrInfoReqWrap {}
const active = new Set();

function activeRequests() { return [...active]; }

// What hooks know requests as (src/async_wrap.h), and the classes of their objects.
const kTypes = {
  __proto__: null,
  'dns.lookup': 'GETADDRINFOREQWRAP',
  'dns.lookupService': 'GETNAMEINFOREQWRAP',
  'dns.resolve': 'QUERYWRAP',
  'dns.reverse': 'QUERYWRAP',
  'crypto.pbkdf2': 'PBKDF2REQUEST',
  'crypto.scrypt': 'SCRYPTREQUEST',
  'crypto.hkdf': 'DERIVEBITSREQUEST',
};
function typeOf(kind, operation, isPromise) {
  if (kind === 'fs') return isPromise ? 'FSREQPROMISE' : atLeast(11) ? 'FSREQCALLBACK' : 'FSREQWRAP';
  if (kind === 'zlib') return 'ZLIB';
  return kTypes[`${kind}.${operation}`] ?? 'RANDOMBYTESREQUEST';
}

class Job {}

function makeOwner(kind, operation, done) {
  if (kind === 'fs') {
    const owner = new FSReqCallback();
    owner.oncomplete = done;
    return owner;
  }
  return operation === 'lookup' ? new GetAddrInfoReqWrap() : new Job();
}

function request(name, time, work) { return { name, time, work }; }

// `done(error, result)` is called from the loop. `named`: the function of the program that it calls, after which the trace
// names it.
function start(kind, operation, steps, done, named, flags = 0, isPromise = false) {
  const type = typeOf(kind, operation, isPromise);
  const isNoted = kind === 'fs' || operation === 'lookup';  // the program may see it
  let resource;
  let context;  // the engine's handle of the callback
  const begin = () => {
    if (resource !== undefined && type === 'ZLIB') return;  // one of all its writes
    const owner = makeOwner(kind, operation, done);
    if (isNoted) active.add(owner);
    resource = new Resource(type, owner);
  };
  const end = (ended) => {
    if (ended === resource) return;
    active.delete(ended.owner);
    ended.destroy();
  };
  let current;
  let isWorked = false;
  let isFailed = false;
  let value;
  const advance = () => {
    try {
      const step = isFailed ? steps.throw(value) : steps.next(value);
      isFailed = false;
      value = step.value;
      if (step.done) return undefined;
      current = value;
      isWorked = false;
      return [current.name, current.time];
    } catch (error) {
      isFailed = true;
      value = error;
      return undefined;
    }
  };
  const work = () => {
    isWorked = true;
    try {
      value = current.work();
      isFailed = false;
    } catch (error) {
      value = error;
      isFailed = true;
    }
  };
  // Another request is made by the callback of the one before; the last one's callback is the program's.
  const next = () => {
    if (!isWorked) work();
    const step = advance();
    if (step === undefined) return undefined;
    const ended = resource;
    ended.run(begin);
    end(ended);
    native.setResource(context, resource.id, resource.trigger, resource.owner);
    return step;
  };
  const finish = () => {
    if (resource !== undefined) active.delete(resource.owner);
    if (isFailed) done(value);
    else done(null, value);
  };
  const first = advance();
  if (first === undefined) {
    native.nextTick(finish);
    return;
  }
  begin();
  context = native.startWork(kind, operation, first[0], first[1], flags, finish, named, work, next);
  native.setResource(context, resource.id, resource.trigger, resource.owner);
}

const unnamed = [() => {}][0];  // of a promise: the trace names the place

function startPromise(kind, operation, steps, flags = 0) {
  return new Promise((resolve, reject) => {
    start(kind, operation, steps, (error, value) => { if (error) reject(error); else resolve(value); }, unnamed, flags, true);
  });
}

// The Sync form: the thread waits, or with `isComputed` computes, for as long as the requests take.
function runSync(steps, isComputed = false) {
  let step = steps.next();
  while (!step.done) {
    const { time, work } = step.value;
    if (time > 0) {
      if (isComputed) native.cpu(time);
      else native.holdUp(time);
    }
    native.settleWork();
    let result;
    try {
      result = inSync(work);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(result);
  }
  return step.value;
}

// ---- what a request takes ---------------------------------------------------------------------------------------------------

let given;  // by the scenario: { files, times }

function facts() { return (given ??= native.fileFacts()); }

// By the scenario's "takes", in nanoseconds; undefined: it does not say.
function givenTime(word) {
  const { times } = facts();
  return Object.hasOwn(times, word) ? native.drawDuration(times[word]) : undefined;
}

// What a computation takes that the scenario has no word for: as it was measured, in whole microseconds. Under the clock of
// tools/conformance it takes what the script says.
function measuredTime(nanoseconds) {
  return native.facts.environment.LOOPSIM_VCLOCK === undefined ? Math.floor(nanoseconds / 1000) * 1000 : 0;
}

module.exports = { activeRequests, measuredTime, request, start, startPromise, runSync, facts, givenTime, kCpu, kSlow, kNetwork };
