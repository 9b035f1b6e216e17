// src/node_errors.cc
'use strict';

const native = internalBinding;

module.exports = function makeErrors() {
  const noop = () => {};
  return {
    setPrepareStackTraceCallback: noop, setGetSourceMapErrorSource: noop, setSourceMapsEnabled: noop,
    setMaybeCacheGeneratedSourceMap: noop, setEnhanceStackForFatalException: noop,
    noSideEffectsToString: (value) => String(value),
    triggerUncaughtException(error, isOfPromise) { native.reportException(error, isOfPromise === true); },
    exitCodes: {
      kNoFailure: 0, kGenericUserError: 1, kInternalJSParseError: 3, kInternalJSEvaluationFailure: 4, kV8FatalError: 5,
      kInvalidFatalExceptionMonkeyPatching: 6, kExceptionInFatalExceptionHandler: 7, kUnsettledTopLevelAwait: 13,
      kInvalidCommandLineArgument: 9, kBootstrapFailure: 10, kInvalidCommandLineArgument2: 12, kStartupSnapshotFailure: 14, kAbort: 134,
    },
  };
};
