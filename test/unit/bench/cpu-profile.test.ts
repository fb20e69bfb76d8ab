import assert from 'node:assert/strict';
import { OTHER, sharesByStep } from '../../../bench/measure/cpu-profile.ts';
import { DIGEST_STEPS, MAIN_STEPS } from '../../../bench/measure/profile-steps.ts';

const ROOT = 1;

/** Makes a node of a profile; `url` is empty for functions of V8 and Node.js in C++. */
function node(id: number, functionName: string, url = '', children: readonly number[] = []) {
  return { id, callFrame: { functionName, url }, children };
}

const record = 'file:///app/dist/src/integrated/digest/digest-record.js';

/** One sample per millisecond from 1,000 µs on: 2 of each node, and 4 in which the thread waits. */
const profile = {
  nodes: [
    node(ROOT, '(root)', '', [2, 3, 4, 9]),
    node(2, '(idle)'),
    node(3, '(garbage collector)'),
    node(4, 'digest', record, [5, 7, 8]),
    node(5, 'parseTolerantJson', 'file:///app/dist/src/lib/json-tolerant.js', [6]),
    node(6, 'toString', 'node:buffer'),
    node(7, 'scrubText', 'file:///app/dist/src/integrated/digest/scrub/value-patterns.js'),
    node(8, 'RegExp: secret'),
    node(9, 'run', 'file:///elsewhere.js'),
  ],
  startTime: 0,
  samples: [2, 2, 3, 4, 5, 6, 7, 8, 9, 3, 4, 5, 6, 7, 8, 9, 2, 2],
  timeDeltas: Array.from({ length: 18 }, () => 1000),
};

describe('the profile of a thread by step', () => {
  it('gives each sample to the innermost function that a rule names, without waiting', () => {
    const { steps, waiting } = sharesByStep(profile, DIGEST_STEPS, { from: 0, to: 18_000 });
    assert.equal(waiting, 4 / 18);
    const found = Object.entries(steps).filter(([, share]) => share > 0);
    assert.deepEqual(found, [
      ['`JSON.parse`', 4 / 14],
      ['scrub, search for client keys', 2 / 14],
      ['`JSON.stringify`', 4 / 14],
      ['collections', 2 / 14],
      [OTHER, 2 / 14],
    ]);
  });

  it('counts only samples within the span', () => {
    const { steps } = sharesByStep(profile, DIGEST_STEPS, { from: 3000, to: 4000 });
    assert.equal(steps['collections'], 1 / 2);
    assert.equal(steps['`JSON.stringify`'], 1 / 2);
  });

  it('names each step once', () => {
    for (const rules of [MAIN_STEPS, DIGEST_STEPS]) {
      assert.equal(new Set(rules.map(({ step }) => step)).size, rules.length);
    }
  });
});
