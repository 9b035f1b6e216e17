// Opens traces with speedscope's own importer, as its package for npm has it, and prints for each the profiles that it sees.
//
// usage: node speedscope.mjs BUNDLE TRACE...     BUNDLE is dist/release/speedscope-*.js of the package
//
// The bundle is the whole web page in one script and exports nothing. So it is run in a context in which every part of a browser is
// there and does nothing, with one line added that hands out its importer. Prints a line of JSON for each trace: its profiles, each with
// its name and its calls, as [name, begin, end] in the order of their ends, and what speedscope has warned of.

import fs from "node:fs";
import vm from "node:vm";

const [bundle, ...traces] = process.argv.slice(2);
const source = fs.readFileSync(bundle, "utf8");
const hook = /var (\w+)=(Promise\.resolve\(\)\.then\(\(\)=>\(\w+\(\),\w+\)\));\1\.then/;
if (!hook.test(source)) throw new Error("this version of speedscope is built in another way");
const hooked = source.replace(hook, "globalThis.importer=$2;$&");

const nothing = new Proxy(function () {}, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => "" : key === "then" ? undefined : nothing),
  apply: () => nothing,
  construct: () => nothing,
  set: () => true,
});
const warnings = [];
const quiet = { log() {}, info() {}, error() {}, warn: (text) => warnings.push(String(text)) };
const context = vm.createContext({ console: quiet, performance, TextDecoder, TextEncoder, URL, setTimeout, clearTimeout });
context.window = context.self = context;
const page = ["document", "navigator", "location", "history", "localStorage", "requestAnimationFrame", "matchMedia"];
for (const name of [...page, "addEventListener", "removeEventListener"]) context[name] = nothing;
try {
  vm.runInContext(hooked, context);
} catch (error) {
  if (!context.importer) throw error; // what comes after the importer is the page
}
const { importProfileGroupFromText } = await context.importer;

for (const trace of traces) {
  warnings.length = 0;
  const group = await importProfileGroupFromText(trace, fs.readFileSync(trace, "utf8"));
  const profiles = (group?.profiles ?? []).map((profile) => {
    const open = [];
    const calls = [];
    profile.forEachCall(
      (node, value) => open.push([node.frame.name, value]),
      (_, value) => calls.push([...open.pop(), value]),
    );
    return { name: profile.getName(), calls };
  });
  fs.appendFileSync(1, JSON.stringify({ profiles, warnings }) + "\n");
}
process.exit(0);
