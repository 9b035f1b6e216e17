// src/node_snapshotable.cc: no snapshot is built.
'use strict';

const noop = () => {};

module.exports = function makeSnapshot() {
  return {
    setSerializeCallback: noop, setDeserializeCallback: noop, setDeserializeMainFunction: noop, runEmbedderPreload: noop,
    compileSerializeMain: noop, isBuildingSnapshotBuffer: new Uint8Array(1), anonymousMainPath: '__node_anonymous_main',
  };
};
