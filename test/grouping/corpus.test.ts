import assert from 'node:assert/strict';
import { groupV1 } from '../../src/integrated/digest/group/v1/group.ts';
import { normalise } from '../unit/integrated/digest/digest-support.ts';
import { HELD_BACK } from './held-back/all.ts';
import type { RawEvent } from './pair.ts';
import { scoreOf, type Score } from './score.ts';
import { TUNED } from './tuned/all.ts';

/** Of the pairs of both parts: what the rules have to reach. */
const PRECISION = 0.98;
const RECALL = 0.95;

/** As the digest does it: what an SDK sends is normalised before it is grouped. */
function keyOf(event: RawEvent): string {
  return groupV1(normalise(event)).key;
}

function figures({ pairs, precision, recall }: Score): string {
  return `${pairs} pairs, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`;
}

function assertReached(score: Score, part: string): void {
  console.log(`    grouping, ${part}: ${[figures(score), ...score.wrong].join('\n      ')}`);
  assert.ok(score.precision >= PRECISION, `precision ${score.precision}: ${score.wrong.join('; ')}`);
  assert.ok(score.recall >= RECALL, `recall ${score.recall}: ${score.wrong.join('; ')}`);
}

describe('grouping: a corpus of pairs made by hand', () => {
  const tuned = Object.values(TUNED).flat();
  const heldBack = Object.values(HELD_BACK).flat();

  it('has at least 150 pairs, a third of them held back, of every platform in both parts', () => {
    const all = tuned.length + heldBack.length;
    assert.ok(all >= 150);
    assert.equal(Math.round((heldBack.length / all) * 100), 33);
    assert.deepEqual(Object.keys(HELD_BACK), Object.keys(TUNED));
    for (const pairs of [...Object.values(TUNED), ...Object.values(HELD_BACK)]) {
      assert.ok(pairs.some(({ same }) => same) && pairs.some(({ same }) => !same));
    }
  });

  it('compares different payloads, each pair under a name of its own', () => {
    for (const [platform, pairs] of [...Object.entries(TUNED), ...Object.entries(HELD_BACK)]) {
      assert.equal(new Set(pairs.map(({ name }) => name)).size, pairs.length, platform);
      for (const { name, first, second } of pairs) {
        assert.notDeepEqual(first, second, `${platform}: ${name}`);
      }
    }
  });

  it('groups the part that the rules were tuned on as a person would', () => {
    assertReached(scoreOf(tuned, keyOf), 'tuned on');
  });

  it('groups the part that was held back as a person would', () => {
    assertReached(scoreOf(heldBack, keyOf), 'held back');
  });

  it('would notice rules that join or split everything', () => {
    const joined = scoreOf(heldBack, () => 'one');
    const split = scoreOf(heldBack, () => String(Math.random()));
    assert.ok(joined.precision < PRECISION && joined.recall === 1);
    assert.ok(split.recall < RECALL);
  });
});
