// In the place of the playground's engine: the program itself, which runs a job in a folder of its own.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { LOOPSIM_PROGRAM: program, LOOPSIM_PAGES: folder } = process.env;

// Of a page only the data is kept: that is all which the engine writes of one.
export function answer({ words, files }) {
  const place = mkdtempSync(join(folder, 'job-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
  return new Promise((resolve) => {
    const child = spawn(program, words, { cwd: place });
    const outcome = { status: 0, stdout: '', stderr: '', files: {} };
    child.stdout.setEncoding('utf8').on('data', (text) => (outcome.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (outcome.stderr += text));
    child.on('close', (status) => {
      outcome.status = status;
      for (const name of readdirSync(place).filter((one) => !(one in files))) {
        const text = readFileSync(join(place, name), 'utf8');
        const from = text.indexOf('<script type="application/x-ndjson" id="trace">');
        outcome.files[name] =
          from < 0 ? text : text.slice(from, text.indexOf('</script>', text.indexOf(' id="explanations">')) + 9);
      }
      rmSync(place, { recursive: true });
      resolve(outcome);
    });
  });
}
