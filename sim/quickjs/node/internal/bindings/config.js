// src/node_config.cc
'use strict';

module.exports = function makeConfig() {
  return {
    bits: 64, exposeInternals: false, fipsMode: false, getDefaultLocale: () => 'en-US', hasCrypto: false, hasDtrace: false,
    hasInspector: false, hasIntl: false, hasNodeOptions: true, hasOpenSSL: false, hasSmallICU: false, hasTracing: false,
    isDebugBuild: false, noBrowserGlobals: false, openSSLIsBoringSSL: false, pendingDeprecation: false,
  };
};
