#!/usr/bin/env node
// `npx loopsim run app.js`: the command line of the native program. What it reads and writes goes through Node's WASI.
'use strict';

const path = require('path');

const { Engine } = require('./engine.js');

const { root } = path.parse(process.cwd());
// WASI's paths have no drives and go forward.
const below = (folder) => `/${path.relative(root, folder).split(path.sep).join('/')}`;

const beside = (name) => below(path.join(__dirname, name));

const env = { ...process.env, LOOPSIM_PAGE: beside('page.html'), LOOPSIM_PLAYGROUND: beside('playground.html') };
const engine = new Engine({ folders: { '/': root }, env });
engine.run(process.argv.slice(2), below(process.cwd())).then(
  (status) => { process.exitCode = status; },
  (error) => {
    console.error(`loopsim: ${error.message}`);
    process.exitCode = 2;
  }).finally(() => engine.close());
