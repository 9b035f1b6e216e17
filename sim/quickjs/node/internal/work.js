// Operations of one request after another: to the thread pool or the network, or, for the Sync forms, on the thread
// itself (the FSReqCallback of src/node_file.cc, ReqWrap in general).
//
// `steps` is a generator. It yields request(...) for each: how it is called, what it takes, and what it does when that
// time is over; it gets the result of that, or the exception. What it returns, or throws, is the operation's outcome.
'use strict';

const native = internalBinding;

const kCpu = 1;
const kSlow = 2;
const kNetwork = 4;

// Requests that are under way, as the program may see them (process._getActiveRequests()).
class FSReqCallback {}
class GetAddrInfoReqWrap {}
const active = new Set();

function activeRequests() { return [...active]; }

function noteRequest(kind, operation) {
  if (kind !== 'fs' && operation !== 'lookup') return undefined;
  const noted = kind === 'fs' ? new FSReqCallback() : new GetAddrInfoReqWrap();
  active.add(noted);
  return noted;
}

function request(name, time, work) { return { name, time, work }; }

// `done(error, result)` is called from the loop. `named`: the function of the program that it calls, after which the trace
// names it.
function start(kind, operation, steps, done, named, flags = 0) {
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
  const next = () => {
    if (!isWorked) work();
    return advance();
  };
  let noted;
  const finish = () => {
    active.delete(noted);
    if (isFailed) done(value);
    else done(null, value);
  };
  const first = advance();
  if (first === undefined) {
    native.nextTick(finish);
    return;
  }
  noted = noteRequest(kind, operation);
  native.startWork(kind, operation, first[0], first[1], flags, finish, named, work, next);
}

const unnamed = [() => {}][0];  // of a promise: the trace names the place

function startPromise(kind, operation, steps, flags = 0) {
  return new Promise((resolve, reject) => {
    start(kind, operation, steps, (error, value) => { if (error) reject(error); else resolve(value); }, unnamed, flags);
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
      result = work();
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
