// The options that NODE_OPTIONS may have (src/node_options.cc), by the first version with them and the first without them
// again. Measured: process.allowedNodeEnvironmentFlags of the versions from 10 on.
'use strict';

const { atLeast } = require('internal/version');

const kOptions = [
  [10, Infinity, `--abort-on-uncaught-exception --debug-port --experimental-modules --experimental-repl-await
    --experimental-vm-modules --experimental-worker --icu-data-dir --insecure-http-parser --inspect
    --inspect-brk --inspect-port --loader --max-http-header-size --max-old-space-size --napi-modules
    --no-deprecation --no-force-async-hooks-checks --no-warnings --openssl-config --pending-deprecation
    --perf-basic-prof --perf-prof --prof-process --redirect-warnings --require --stack-trace-limit
    --throw-deprecation --title --tls-cipher-list --tls-max-v1.2 --tls-min-v1.0 --tls-min-v1.1
    --tls-min-v1.2 --trace-deprecation --trace-event-categories --trace-event-file-pattern
    --trace-events-enabled --trace-sync-io --trace-warnings --track-heap-objects --unhandled-rejections
    --use-bundled-ca --use-openssl-ca --v8-pool-size --zero-fill-buffers -r`],
  [10, 11, `--expose-http2 --expose_http2`],
  [11, Infinity, `--debug-arraybuffer-allocations --experimental-report --frozen-intrinsics --http-parser
    --perf-basic-prof-only-functions --perf-prof-unwinding-info --tls-max-v1.3 --tls-min-v1.3`],
  [11, 12, `--diagnostic-report-directory --diagnostic-report-filename --diagnostic-report-on-fatalerror
    --diagnostic-report-on-signal --diagnostic-report-signal --diagnostic-report-uncaught-exception`],
  [11, 22, `--experimental-policy`],
  [12, Infinity, `--conditions --diagnostic-dir --disable-proto --disallow-code-generation-from-strings
    --enable-source-maps --es-module-specifier-resolution --experimental-import-meta-resolve
    --experimental-json-modules --experimental-loader --experimental-specifier-resolution
    --experimental-wasi-unstable-preview1 --experimental-wasm-modules --force-context-aware
    --heapsnapshot-signal --input-type --inspect-publish-uid --interpreted-frames-native-stack --jitless
    --no-node-snapshot --preserve-symlinks --preserve-symlinks-main --report-compact --report-dir
    --report-directory --report-filename --report-on-fatalerror --report-on-signal --report-signal
    --report-uncaught-exception --tls-keylog --trace-exit --trace-sigint --trace-tls --trace-uncaught
    --use-largepages`],
  [12, 14, `--http-server-default-timeout`],
  [12, 22, `--policy-integrity`],
  [12, 24, `--huge-max-old-generation-size`],
  [14, Infinity, `--addons --deprecation --dns-result-order --enable-fips --experimental-abortcontroller
    --experimental-top-level-await --force-async-hooks-checks --force-fips --heapsnapshot-near-heap-limit
    --no-addons --no-debug-arraybuffer-allocations --no-enable-fips --no-enable-source-maps
    --no-experimental-import-meta-resolve --no-experimental-repl-await --no-experimental-vm-modules
    --no-force-context-aware --no-force-fips --no-frozen-intrinsics --no-insecure-http-parser --no-inspect
    --no-inspect-brk --no-openssl-shared-config --no-pending-deprecation --no-preserve-symlinks
    --no-preserve-symlinks-main --no-report-compact --no-report-on-fatalerror --no-report-on-signal
    --no-report-uncaught-exception --no-throw-deprecation --no-tls-max-v1.2 --no-tls-max-v1.3
    --no-tls-min-v1.0 --no-tls-min-v1.1 --no-tls-min-v1.2 --no-tls-min-v1.3 --no-trace-deprecation
    --no-trace-exit --no-trace-sigint --no-trace-sync-io --no-trace-tls --no-trace-uncaught
    --no-trace-warnings --no-track-heap-objects --no-use-bundled-ca --no-use-openssl-ca
    --no-verify-base-objects --no-zero-fill-buffers --node-memory-debug --node-snapshot
    --openssl-shared-config --verify-base-objects --warnings -C`],
  [14, 16, `--no-experimental-abortcontroller --no-experimental-json-modules --no-experimental-modules
    --no-experimental-top-level-await`],
  [14, 18, `--no-experimental-wasi-unstable-preview1`],
  [14, 22, `--no-experimental-wasm-modules`],
  [14, 24, `--no-trace-atomics-wait --trace-atomics-wait`],
  [16, Infinity, `--experimental-fetch --experimental-global-customevent --experimental-global-webcrypto
    --force-node-api-uncaught-exceptions-policy --global-search-paths
    --no-force-node-api-uncaught-exceptions-policy --no-global-search-paths --no-test-only --no-watch
    --secure-heap --secure-heap-min --test-only --watch --watch-path`],
  [16, 22, `--experimental-network-imports --no-experimental-network-imports`],
  [16, 24, `--no-experimental-fetch --no-experimental-global-customevent --no-experimental-global-webcrypto`],
  [18, Infinity, `--enable-etw-stack-walking --enable-network-family-autoselection --experimental-shadow-realm
    --extra-info-on-fatal-exception --import --max-semi-space-size --no-experimental-shadow-realm
    --no-extra-info-on-fatal-exception --no-openssl-legacy-provider --no-watch-preserve-output
    --openssl-legacy-provider --snapshot-blob --test-reporter --test-reporter-destination --test-shard
    --watch-preserve-output`],
  [18, 20, `--no-enable-network-family-autoselection`],
  [18, 24, `--experimental-default-type`],
  [20, Infinity, `--allow-addons --allow-child-process --allow-fs-read --allow-fs-write --allow-wasi --allow-worker
    --disable-warning --disable-wasm-trap-handler --experimental-detect-module --experimental-eventsource
    --experimental-print-required-tla --experimental-require-module --experimental-websocket --expose-gc
    --heap-prof --heap-prof-dir --heap-prof-interval --heap-prof-name --inspect-wait
    --network-family-autoselection --network-family-autoselection-attempt-timeout --no-allow-addons
    --no-allow-child-process --no-allow-wasi --no-allow-worker --no-disable-wasm-trap-handler
    --no-experimental-detect-module --no-experimental-eventsource --no-experimental-print-required-tla
    --no-experimental-require-module --no-experimental-websocket --no-heap-prof --no-inspect-wait
    --no-network-family-autoselection --no-report-exclude-network --no-trace-promises
    --report-exclude-network --trace-promises --trace-require-module`],
  [20, 22, `--no-experimental-permission`],
  [20, 24, `--experimental-permission`],
  [22, Infinity, `--cpu-prof --cpu-prof-dir --cpu-prof-interval --cpu-prof-name --disable-sigusr1 --entry-url
    --experimental-addon-modules --experimental-global-navigator --experimental-sqlite
    --experimental-strip-types --experimental-webstorage --localstorage-file --max-old-space-size-percentage
    --no-cpu-prof --no-disable-sigusr1 --no-entry-url --no-experimental-addon-modules
    --no-experimental-global-navigator --no-experimental-sqlite --no-experimental-webstorage --no-permission
    --no-report-exclude-env --no-trace-env --no-trace-env-js-stack --no-trace-env-native-stack
    --no-use-env-proxy --no-use-system-ca --permission --report-exclude-env --test-coverage-branches
    --test-coverage-exclude --test-coverage-functions --test-coverage-include --test-coverage-lines
    --test-name-pattern --test-skip-pattern --trace-env --trace-env-js-stack --trace-env-native-stack
    --use-env-proxy --use-system-ca --watch-kill-signal`],
  [22, 24, `--experimental-async-context-frame --no-experimental-async-context-frame --no-experimental-strip-types`],
  [22, 26, `--experimental-transform-types --no-experimental-transform-types`],
  [24, Infinity, `--allow-inspector --allow-openssl-store --async-context-frame --experimental-import-text
    --experimental-package-map --experimental-quic --experimental-stream-iter --experimental-test-isolation
    --max-heap-size --no-allow-inspector --no-allow-openssl-store --no-async-context-frame
    --no-experimental-import-text --no-experimental-stream-iter --no-permission-audit --no-require-module
    --no-strip-types --no-test-randomize --permission-audit --require-module --strip-types
    --test-global-setup --test-isolation --test-random-seed --test-randomize --test-rerun-failures`],
  [26, Infinity, `--allow-ffi --allow-fs-vfs --allow-net --bench-isolation --bench-name-pattern --bench-reporter
    --bench-reporter-destination --bench-samples --bench-warmup --enable-fips-indicator-events
    --experimental-bench --experimental-dtls --experimental-ffi --experimental-vfs --experimental-web-worker
    --no-allow-ffi --no-allow-fs-vfs --no-allow-net --no-enable-fips-indicator-events
    --no-experimental-bench --no-experimental-ffi --no-experimental-vfs --no-experimental-web-worker
    --no-test-coverage-include-all --no-worker-snapshot --test-coverage-include-all --vfs-mount --webstorage
    --worker-snapshot`],
];

// Without dashes and with underscores they are the same; only a few have one letter. Set's own methods reach none of them.
class AllowedFlags extends Set {
  #flags;
  constructor(flags) {
    super();
    this.#flags = flags;
  }

  add() { return this; }
  delete() { return false; }
  clear() {}
  get size() { return this.#flags.length; }

  has(flag) {
    if (typeof flag !== 'string') return false;
    const plain = flag.replace(/=.*$/s, '').replace(/(?<!^|-)_/g, '-');
    return this.#flags.includes(plain) || this.#flags.includes(`--${plain}`) || this.#flags.includes(`-${plain}`);
  }

  entries() { return this.#flags.map((flag) => [flag, flag])[Symbol.iterator](); }
  values() { return this.#flags[Symbol.iterator](); }
  keys() { return this.values(); }
  [Symbol.iterator]() { return this.values(); }
  forEach(callback, receiver = undefined) {
    for (const flag of this.#flags) Reflect.apply(callback, receiver, [flag, flag, this]);
  }
}

function allowedFlags() {
  const flags = [];
  for (const [first, end, names] of kOptions) {
    if (atLeast(first) && !atLeast(end)) flags.push(...names.split(/\s+/));
  }
  return Object.freeze(new AllowedFlags(flags));
}

module.exports = { allowedFlags };
