// Expectations for tests: each throws an AssertionError, as every test runner reports it.
'use strict';

const { AssertionError } = require('assert');

function fail(message, actual, expected, from) {
  throw new AssertionError({ message, actual, expected, operator: from.name, stackStartFn: from });
}

// The callbacks with these names begin in this order. Others may run between them. A name that occurs twice means its second round.
exports.expectOrder = function expectOrder(run, names) {
  const begun = run.events.filter((event) => event.ev === 'callback_begin').map((event) => event.name);
  let from = 0;
  for (const name of names) {
    const at = begun.indexOf(name, from);
    if (at < 0) {
      const why = begun.includes(name) ? `${name} does not begin after the one before it` : `no callback is called ${name}`;
      fail(`${why}: ${names.join(', ')} were expected, and ${begun.join(', ')} ran`, begun, names, expectOrder);
    }
    from = at + 1;
  }
};

// The program prints these lines, and no others.
exports.expectOutput = function expectOutput(run, expected) {
  const lines = expected.flatMap((text) => text.split('\n'));
  if (run.output.length === lines.length && run.output.every((line, i) => line === lines[i])) return;
  fail(`the output is\n  ${run.output.join('\n  ')}\nnot\n  ${lines.join('\n  ')}`, run.output, lines, expectOutput);
};

// In no run did `second` come before `first`, and rules or times say why (docs/orders.md).
exports.expectGuaranteed = function expectGuaranteed(study, first, second) {
  const pair = (study.pairs || []).find((one) => one.first === first && one.second === second);
  if (pair !== undefined && pair.verdict === 'guaranteed') return;
  const other = (study.pairs || []).find((one) => one.first === second && one.second === first);
  const found = pair !== undefined ? `the verdict is ${pair.verdict}`
    : other === undefined ? 'no such pair was judged'
      : other.verdict === 'race' ? 'the verdict is race'
        : `it was judged the other way round, ${second} before ${first}, and the verdict is ${other.verdict}`;
  fail(`${first} before ${second} is not guaranteed: ${found}`, pair ?? other, 'guaranteed', expectGuaranteed);
};
