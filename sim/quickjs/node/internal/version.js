// The version of Node that the process is: what it has, by the release that brought it.
'use strict';

const native = internalBinding;

let major = 0;
let minor = 0;

// Called once the process's facts are known.
function readVersion() {
  [major, minor] = native.facts.release.split('.').map(Number);
}

// `since`: '15.2', or with the older lines that got it too, '15.2 14.17'.
function has(since) {
  let newest = 0;
  for (const release of since.split(' ')) {
    const [line, from = 0] = release.split('.').map(Number);
    if (line === major) return minor >= from;
    if (line > newest) newest = line;
  }
  return major > newest;
}

// rows: [object, name, since, until?]. Deletes what the version has not.
function removeAbsent(rows) {
  for (const [object, name, since, until] of rows) {
    if (!has(since) || (until !== undefined && has(until))) delete object[name];
  }
}

module.exports = { readVersion, has, removeAbsent, major: () => major, atLeast: (line) => major >= line };
