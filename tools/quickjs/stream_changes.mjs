// What versions of Node do otherwise than the packages of streams, which are those of Node 8, 10 and 18: changes of
// their texts.
// The version is known when the library is started, not when it is loaded, so each change asks for it.

// change(file, from, to): `from`, a text or an expression, must be in that file once; a text, at least once.
export function changeStreams(change, since) {
// The version decides when the library is started, not when it is loaded.
const writable4 = 'readable-stream-4/lib/internal/streams/writable.js';
const readable4 = 'readable-stream-4/lib/internal/streams/readable.js';
const pipeline4 = 'readable-stream-4/lib/internal/streams/pipeline.js';
const duplex4 = 'readable-stream-4/lib/internal/streams/duplex.js';
// Node 20: a write that succeeds at once needs no tick of its own, and no 'drain'; callbacks get null.
change(writable4,
       /  state\.length \+= len\n\n[^\n]*\n  const ret = [^\n]*\n[^\n]*\n  if \(!ret\) state\.needDrain = true/,
       `  state.length += len;
  let ret = state.length < state.highWaterMark;
  if (!ret && !(${since(20)})) state.needDrain = true;`);
change(writable4, /    state\.sync = false\n  \}\n\n  \/\/ Return false if errored/, `    state.sync = false
  }
  if (${since(20)}) {
    ret = state.length < state.highWaterMark || state.length === 0;
    if (!ret) state.needDrain = true;
  }

  // Return false if errored`);
change(writable4, /    if \(sync\) \{\n      \/\/ It is a common case/, `    if (sync && cb === nop && ${since(20)}) {
      if (!state.afterWritePending && state.needDrain && state.length === 0) {
        state.afterWritePending = true;
        process.nextTick(afterWrite, stream, state, 1, cb);
      } else {
        state.pendingcb--;
        if (state.ending) finishMaybe(stream, state, true);
      }
    } else if (sync) {
      state.afterWritePending = true;
      // It is a common case`);
change(writable4, /function afterWrite\(stream, state, count, cb\) \{/, `function afterWrite(stream, state, count, cb) {
  state.afterWritePending = false;`);
change(writable4, /    state\.pendingcb--\n    cb\(\)/, `    state.pendingcb--;
    if (${since(20)}) cb(null);
    else cb();`);
change(writable4, /    onfinishCallbacks\[i\]\(\)/, `    if (${since(20)}) onfinishCallbacks[i](null);
    else onfinishCallbacks[i]();`);
change(writable4,
       /    if \(err \|\| state\.finished\) \{\n      process\.nextTick\(cb, err\)/,
       `    if (${since(20)} && !err && state.errored) {
      process.nextTick(cb, state.errored);
    } else if (err || state.finished) {
      process.nextTick(cb, ${since(20)} && !err ? null : err)`);
change(duplex4,
       /ObjectDefineProperties\(Duplex\.prototype, \{\n  writable:/,
       `const destroyBySide = Writable.prototype.destroy;
const destroyOfReadable = Duplex.prototype.destroy;
Duplex.prototype.destroy = function (err, cb) {
  return (${since(20)} ? destroyBySide : destroyOfReadable).call(this, err, cb);
};
ObjectDefineProperties(Duplex.prototype, {
  writable:`);
// Node 20: what was asked for stays asked for.
change(readable4, /    state\.needReadable = state\.length <= state\.highWaterMark\n/,
       `    state.needReadable = state.length <= state.highWaterMark || (${since(20)} && state.needReadable)\n`);
change(readable4, /  state\.needReadable = !state\.flowing && !state\.ended && state\.length <= state\.highWaterMark\n/,
       `  state.needReadable =
    (!state.flowing && !state.ended && state.length <= state.highWaterMark) || (${since(20)} && state.needReadable)
`);

// Until Node 16: what a stream with an error, or a destroyed one, still does.
change(readable4, /if \(ret !== null && !state\.errorEmitted && !state\.closeEmitted\) \{/,
       `if (ret !== null && (!(${since(18)}) || (!state.errorEmitted && !state.closeEmitted))) {`);
change(readable4, /if \(!state\.errored && !state\.closeEmitted && !state\.endEmitted && state\.length === 0\)/,
       `const hasError = ${since(18)} ? state.errored : state.errorEmitted;
  if (!hasError && !state.closeEmitted && !state.endEmitted && state.length === 0)`);
change(readable4,
       /else if \(state\.destroyed \|\| state\.errored\) return false\n/,
       `else if (state.destroyed || (state.errored && ${since(16)})) return false\n`);
change(readable4, /\} else if \(state\.destroyed \|\| state\.errored\) \{\n      return false/,
       `} else if (state.destroyed || (state.errored && ${since(16)})) {\n      return false`);
change(readable4,
       /if \(state\.ended \|\| state\.reading \|\| state\.destroyed \|\| state\.errored \|\| !state\.constructed\)/,
       `if (state.ended || state.reading || state.destroyed || (state.errored && ${since(16)}) || !state.constructed)`);
change(readable4, /if \(!state\.destroyed && !state\.errored && \(state\.length \|\| state\.ended\)\)/,
       `if (!state.destroyed && !(state.errored && ${since(16)}) && (state.length || state.ended))`);
// How a writable stream ends: what is asked for again when a tick of its own has come to it.
change(writable4, /    !state\.destroyed &&\n    state\.constructed &&/, `    !(state.destroyed && ${since(18)}) &&
    state.constructed &&`);
change(writable4,
       /    !state\.errorEmitted &&\n    !state\.closeEmitted\n/,
       `    !((state.errorEmitted || state.closeEmitted) && ${since(16)})\n`);
change(writable4, /    if \(state\.pendingcb === 0\) \{\n      if \(sync\) \{/, `    if (state.pendingcb === 0) {
      if (!(${since(18)})) {
        if (!(${since(16)}) || needFinish(state)) {
          state.pendingcb++;
          if (sync) process.nextTick(finish, stream, state);
          else finish(stream, state);
        }
      } else if (sync) {`);
change(writable4, /  state\.pendingcb--\n  state\.finished = true\n/, `  state.pendingcb--;
  if (!(${since(16)}) && state.errorEmitted) return;
  state.finished = true;
`);
change(writable4, /      state\.finalCalled = true\n      callFinal\(stream, state\)/, `      state.finalCalled = true;
      if (${since(16)}) {
        callFinal(stream, state);
      } else {
        state.pendingcb++;
        process.nextTick(callFinalLater, stream, state);
      }`);
change(writable4, /function prefinish\(stream, state\) \{/, `function callFinalLater(stream, state) {
  stream._final((err) => {
    state.pendingcb--;
    if (err) {
      errorOrDestroy(stream, err);
    } else {
      state.prefinished = true;
      stream.emit('prefinish');
      finishMaybe(stream, state);
    }
  });
}
// Node 14: the callback of end() is a listener.
function listenForEnd(stream, cb) {
  const stop = () => {
    stream.removeListener('finish', onfinish);
    stream.removeListener('error', onerror);
  };
  const onfinish = () => {
    stop();
    cb();
  };
  const onerror = (err) => {
    stop();
    cb(err);
    if (stream.listenerCount('error') === 0) stream.emit('error', err);
  };
  stream.on('finish', onfinish);
  stream.prependListener('error', onerror);
}
function prefinish(stream, state) {`);
change(writable4, /      state\[kOnFinished\]\.push\(cb\)/, `      if (${since(16)}) state[kOnFinished].push(cb);
      else listenForEnd(this, cb);`);
change(writable4,
       /    const ret = _write\(this, chunk, encoding\)\n/,
       `    const ret = ${since(16)} ? _write(this, chunk, encoding) : this.write(chunk, encoding);\n`);
change(writable4, /    callback\(\n      \(_state\$errored = state\.errored\)/, `    callback(
      !(${since(18)}) ? new ERR_STREAM_DESTROYED('write') : (_state$$errored = state.errored)`);
change(writable4,
       /    onfinishCallbacks\[i\]\(\n      \(_state\$errored2 = state\.errored\)/,
       `    onfinishCallbacks[i](
      !(${since(18)}) ? new ERR_STREAM_DESTROYED('end') : (_state$$errored2 = state.errored)`);

change(readable4, /    \} catch \(err\) \{\n      errorOrDestroy\(this, err\)/, `    } catch (err) {
      if (!(${since(18)})) throw err;
      errorOrDestroy(this, err);`);
const destroy4 = 'readable-stream-4/lib/internal/streams/destroy.js';
change(destroy4, /  if \(!err && !isFinished\(stream\)\) \{/, `  if (!err && ${since(18)} && !isFinished(stream)) {`);

// Node 11 and 12, over the streams of Node 10.
const writable3 = 'readable-stream-3/lib/_stream_writable.js';
const readable3 = 'readable-stream-3/lib/_stream_readable.js';
change(readable3, /if \(state\.flowing && state\.length === 0 && !state\.sync\) \{/,
       `if (state.flowing && state.length === 0 && !state.sync && (!(${since(12)}) || stream.listenerCount('data') > 0)) {`);
change(readable3,
       /if \(state\.ended \|\| state\.reading\) \{/,
       `if (state.ended || state.reading || (state.destroyed && ${since(12)})) {`);
change(readable3,
       /    state\.needReadable = false;\n    if \(!state\.emittedReadable\) \{/,
       `    state.needReadable = false;
    if (!state.emittedReadable || ${since(11)}) {`);
change(writable3,
       /    if \(sync\) \{\n      process\.nextTick\(afterWrite, stream, state, finished, cb\);/,
       `    if (sync && ${since(12)}) {
      if (state.afterWriteTickInfo && state.afterWriteTickInfo.cb === cb) {
        state.afterWriteTickInfo.count++;
      } else {
        state.afterWriteTickInfo = { count: 1, cb, stream, state };
        process.nextTick(afterWriteTick, state.afterWriteTickInfo);
      }
    } else if (sync) {
      process.nextTick(afterWrite, stream, state, finished, cb);`);
change(writable3,
       /function afterWrite\(stream, state, finished, cb\) \{\n  if \(!finished\) onwriteDrain\(stream, state\);/,
       `function afterWriteTick({ stream, state, count, cb }) {
  state.afterWriteTickInfo = null;
  while (count-- > 1) afterWrite(stream, state, false, cb);
  afterWrite(stream, state, false, cb);
}
function afterWrite(stream, state, finished, cb) {
  if (${since(12)} ? !state.ending && !stream.destroyed : !finished) onwriteDrain(stream, state);`);

// Node 4 and 6, over the streams of Node 8.
const writable2 = 'readable-stream-2/lib/_stream_writable.js';
change(writable2,
       /    pna\.nextTick\(finishMaybe, stream, state\);\n/,
       `    if (${since(8)}) pna.nextTick(finishMaybe, stream, state);\n`);
change(writable2,
       /    \/\/ always follow error\n    finishMaybe\(stream, state\);/,
       `    if (${since(8)}) finishMaybe(stream, state);`);

// Node 20: other views than Uint8Array; encodings are checked; the objects of events know the usual ones.
const views = `(${since(20)} ? ArrayBuffer.isView(chunk) : Stream._isUint8Array(chunk))`;
const viewNames = `${since(20)} ? ['string', 'Buffer', 'TypedArray', 'DataView'] : ['string', 'Buffer', 'Uint8Array']`;
change(writable4, /Stream\._isUint8Array\(chunk\)/, views);
change(writable4, /new ERR_INVALID_ARG_TYPE\('chunk', \['string', 'Buffer', 'Uint8Array'\], chunk\)/,
       `new ERR_INVALID_ARG_TYPE('chunk', ${viewNames}, chunk)`);
change(readable4, /Stream\._isUint8Array\(chunk\)/, views);
change(readable4, /new ERR_INVALID_ARG_TYPE\('chunk', \['string', 'Buffer', 'Uint8Array'\], chunk\)/,
       `new ERR_INVALID_ARG_TYPE('chunk', ${viewNames}, chunk)`);
change(writable4,
       /    cb = encoding\n    encoding = state\.defaultEncoding\n  \} else \{\n    if \(!encoding\) encoding = [^\n]*/,
       `    cb = encoding;
    encoding = state.objectMode && ${since(20)} ? null : state.defaultEncoding;
  } else {
    if (state.objectMode && ${since(20)}) encoding;
    else if (!encoding) encoding = state.defaultEncoding;`);
const checkEncoding = `
  if (${since(20)} && options && options.defaultEncoding && !Buffer.isEncoding(options.defaultEncoding)) {
    throw new ERR_UNKNOWN_ENCODING(options.defaultEncoding);
  }`;
change(writable4,
       /  this\.defaultEncoding = \(options && options\.defaultEncoding\) \|\| 'utf8'/,
       `$&;${checkEncoding}`);
change(readable4,
       /  this\.defaultEncoding = \(options && options\.defaultEncoding\) \|\| 'utf8'/,
       `$&;${checkEncoding}`);
change(readable4, /    ERR_STREAM_UNSHIFT_AFTER_END_EVENT\n/, `    ERR_STREAM_UNSHIFT_AFTER_END_EVENT,
    ERR_UNKNOWN_ENCODING
`);
const events = (names) => {
  const members = names.split(' ').map((name) => `${name}: undefined`);
  return `if (${since(20)}) this._events ??= { ${members.join(', ')} };`;
};
change(readable4,
       /  if \(!\(this instanceof Readable\)\) return new Readable\(options\)\n/,
       `$&  ${events('close error data end readable')}\n`);
change(writable4,
       /  this\._writableState = new WritableState\(/,
       `  ${events('close error prefinish finish drain')}\n$&`);
change(duplex4, /  if \(!\(this instanceof Duplex\)\) return new Duplex\(options\)\n/,
       `$&  ${events('close error prefinish finish drain data end readable')}\n`);
// Node 20: after push(null) a transform's callback has a tick of its own.
const transform4 = 'readable-stream-4/lib/internal/streams/transform.js';
change(transform4, /    if \(\n      wState\.ended \|\|/, `    if (rState.ended && ${since(20)}) {
      require('internal/ticks').internalTick(callback);
    } else if (
      wState.ended ||`);
// Node 20: what a write's callback makes the stream finish, finishes on a tick.
change(writable4,
       /  if \(state\.destroyed\) \{\n    errorBuffer\(state\)\n  \}\n  finishMaybe\(stream, state\)/,
       `  if (state.destroyed) {
    errorBuffer(state);
  }
  finishMaybe(stream, state, ${since(20)});`);
// Node 22: an error of a stream does not count as its end; Node 26: unpipe() leaves a stream that has ended as it is.
change(pipeline4, /          finish\(err\)\n/, `          if (${since(22)}) finishImpl(err, false);
          else finish(err);
`);
change(pipeline4,
       /      finish\(new ERR_STREAM_PREMATURE_CLOSE\(\)\)/,
       `      const early = new ERR_STREAM_PREMATURE_CLOSE();
      if (${since(22)}) finish.onlyError(early);
      else finish(early);`);
change(pipeline4, /  function finishImpl\(err, final\) \{/, `  finish.onlyError = (err) => finishImpl(err, false);
$&`);
change(readable4,
       /  if \(state\.pipes\.length === 0\) this\.pause\(\)\n  dest\.emit/,
       `  if (state.pipes.length === 0 && !(state.endEmitted && ${since(26)})) this.pause();
  dest.emit`);
// Node 24: what the destination of pipe() throws destroys it.
change(readable4, /    const ret = dest\.write\(chunk\)\n/, `    let ret;
    try {
      ret = dest.write(chunk);
    } catch (error) {
      if (!(${since(24)})) throw error;
      dest.destroy(error);
    }
`);
change('readable-stream-4/lib/internal/streams/operators.js', "['Function', 'AsyncFunction']",
       `${since(22)} ? 'Function' : ['Function', 'AsyncFunction']`);
}
