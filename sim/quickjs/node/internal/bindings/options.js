// src/node_options.cc
'use strict';

const native = internalBinding;

module.exports = function makeOptions() {
  const { options } = require('internal/options');
  const values = {
    '__proto__': null,
    '--async-context-frame': true, '--conditions': [], '--disable-warning': [], '--experimental-eventsource': false,
    '--experimental-fetch': true, '--experimental-loader': [], '--experimental-require-module': true,
    '--experimental-test-isolation': 'none', '--experimental-websocket': true, '--icu-data-dir': '', '--import': [],
    '--insecure-http-parser': false, '--max-http-header-size': 16384, '--network-family-autoselection': true,
    '--network-family-autoselection-attempt-timeout': 250, '--no-deprecation': native.process.noDeprecation === true,
    '--pending-deprecation': options.pendingDeprecation, '--require': [], '--stack-trace-limit': 10, '--test-concurrency': 0,
    '--test-coverage-exclude': [], '--test-coverage-include': [], '--test-isolation': 'none', '--test-name-pattern': [],
    '--test-reporter': [], '--test-reporter-destination': [], '--test-skip-pattern': [], '--test-timeout': 0,
    '--unhandled-rejections': 'throw', '--verify-base-objects': false, '--warnings': !options.noWarnings,
  };
  const described = () => ({ options: new Map(Object.entries(values).map(([name, value]) => [name, { value }])), aliases: new Map() });
  return {
    getCLIOptionsValues: () => values,
    getCLIOptionsInfo: described,
    getCLIOptions: described,
    getOptions: described,
    getOptionValue: (name) => values[name],
    getOptionsAsFlags: () => [],
    getEmbedderOptions: () => ({ shouldNotRegisterESMLoader: false, noGlobalSearchPaths: false, hasEmbedderPreload: false }),
    getEnvOptionsInputType: () => new Map(),
    getNamespaceOptionsInputType: () => new Map(),
    envSettings: {}, types: {}, noGlobalSearchPaths: false, shouldNotRegisterESMLoader: false,
  };
};
