import assert from 'node:assert/strict';
import { mattersRank, type RankedError } from '../../../../src/domain/errors/matters-rank.ts';

const NOW = Date.UTC(2026, 2, 10, 12);
const HOUR = 3_600_000;
const MANY = 1_000_000;

const UNMARKED: RankedError['marks'] = { isNew: false, regressed: null, escalating: null, unhandled: null };
const ERROR: RankedError = { events: 0, users: 0, lastSeen: NOW, level: 'error', marks: UNMARKED };
const REGRESSED = { ...UNMARKED, regressed: { at: NOW, release: null } };
const ESCALATING = { ...UNMARKED, escalating: { at: NOW, cause: {} } };
const NEW = { ...UNMARKED, isNew: true };

const rank = (part: Partial<RankedError>) => mattersRank({ ...ERROR, ...part });
const above = (part: Partial<RankedError>) => rank(part) - rank({});

/** Each stands above the following one. */
const ORDER: readonly (readonly [string, Partial<RankedError>])[] = [
  ['a new fatal error, 17 minutes ago', { events: 1, users: 1, level: 'fatal', marks: NEW, lastSeen: NOW - HOUR / 4 }],
  ['a new fatal error, 20 hours ago', { events: 1, users: 1, level: 'fatal', marks: NEW, lastSeen: NOW - 20 * HOUR }],
  ['one that came back', { events: 1, users: 1, marks: REGRESSED }],
  ['one that gets worse', { events: 1, users: 1, marks: ESCALATING }],
  ['a new one', { events: 1, users: 1, marks: NEW }],
  ['an unhandled one of many users', { events: MANY, users: MANY, marks: { ...UNMARKED, unhandled: true } }],
  ['one of many users', { events: MANY, users: MANY }],
  ['a fatal one with a fresh event', { events: 1, users: 1, level: 'fatal' }],
  ['an unchanged warning of many users', { events: MANY, users: MANY, level: 'warning' }],
  ['one with many users in former days', { events: 1, users: MANY }],
  ['an unchanged warning, 11 hours ago', { events: 60, users: 620, level: 'warning', lastSeen: NOW - 11 * HOUR }],
  ['one with an event yesterday', { users: MANY, lastSeen: NOW - 25 * HOUR }],
];

describe('the rank of an error', () => {
  it('counts marks and the level in full, and events and users up to a bound that is less than any change', () => {
    assert.equal(above({ marks: REGRESSED }), 16_000);
    assert.equal(above({ marks: ESCALATING }), 14_000);
    assert.equal(above({ marks: NEW }), 12_000);
    assert.equal(above({ marks: { ...UNMARKED, unhandled: true } }), 4_000);
    assert.equal(above({ marks: { ...UNMARKED, unhandled: false } }), 0);
    assert.equal(above({ level: 'fatal' }), 6_000);
    assert.equal(above({ level: 'warning' }), -4_000);
    assert.equal(above({ level: 'info' }), above({ level: 'debug' }));
    assert.equal(above({ level: null }), 0);
    assert.equal(above({ lastSeen: NOW - 12 * HOUR }), -1_000);
    assert.ok(above({ events: Number.MAX_SAFE_INTEGER, users: Number.MAX_SAFE_INTEGER }) < 12_000);
  });

  it('counts users before events, but none whom no event of these 24 hours can have affected', () => {
    assert.ok(above({ events: 50, users: 50 }) > above({ events: 1000 }));
    assert.equal(above({ events: 3, users: 620 }), above({ events: 3, users: 3 }));
    assert.equal(above({ events: 0, users: 620 }), 0);
    assert.ok(above({ events: null, users: 7 }) > 0, 'a tracker that tells no events');
  });

  for (const [index, [name, part]] of ORDER.entries()) {
    const next = ORDER[index + 1];
    if (next === undefined) continue;
    it(`puts ${name} above ${next[0]}`, () => {
      assert.ok(rank(part) > rank(next[1]), `${rank(part)} > ${rank(next[1])}`);
    });
  }

  it('puts a new error and one that came back above every unchanged warning, whatever their level', () => {
    const warning = rank({ events: MANY, users: MANY, level: 'warning' });
    for (const level of ['fatal', 'error', 'warning', 'info', 'debug', null] as const) {
      for (const marks of [NEW, REGRESSED, ESCALATING]) {
        assert.ok(rank({ events: 1, users: 1, level, marks }) > warning, `${level}`);
      }
    }
  });

  it('is an integer, and the same for an error while nothing happens', () => {
    assert.equal(rank({}), rank({}));
    assert.ok(Number.isInteger(above({ events: 12, users: 5 })));
  });
});
