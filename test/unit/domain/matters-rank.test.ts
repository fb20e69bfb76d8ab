import assert from 'node:assert/strict';
import { mattersRank, type RankedError } from '../../../src/domain/matters-rank.ts';

const NOW = Date.UTC(2026, 2, 10, 12);
const HALF_DAY = 43_200_000;

const ERROR: RankedError = {
  events: 0,
  users: 0,
  lastSeen: NOW,
  level: 'error',
  marks: { isNew: false, regressed: null, escalating: null, unhandled: null },
};
const base = mattersRank(ERROR);
const above = (part: Partial<RankedError>) => mattersRank({ ...ERROR, ...part }) - base;
const marked = (part: Partial<RankedError['marks']>) => above({ marks: { ...ERROR.marks, ...part } });

describe('the rank of an error', () => {
  it('counts marks, users before events, and age', () => {
    assert.equal(marked({ regressed: { at: NOW, release: null } }), 12_000);
    assert.equal(marked({ escalating: { at: NOW, cause: {} } }), 10_000);
    assert.equal(marked({ isNew: true }), 8_000);
    assert.equal(marked({ unhandled: true }), 4_000);
    assert.equal(marked({ unhandled: false }), 0);
    assert.equal(above({ level: 'fatal' }), 4_000);
    assert.equal(above({ events: 7 }), 3_000);
    assert.equal(above({ users: 7 }), 6_000);
    assert.equal(above({ lastSeen: NOW - HALF_DAY }), -1_000);
  });

  it('is the same for an error while nothing happens', () => {
    assert.equal(mattersRank({ ...ERROR }), base);
    assert.ok(Number.isInteger(above({ events: 12, users: 5 })));
  });
});
