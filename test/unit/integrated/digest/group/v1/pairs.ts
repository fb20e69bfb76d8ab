import assert from 'node:assert/strict';
import type { NormalisedEvent } from '../../../../../../src/domain/events/event.ts';
import { keyOf } from './events.ts';

/** What the two events of a pair have in common or tell apart, and the events. */
export type Pair = readonly [what: string, a: NormalisedEvent, b: NormalisedEvent];

/** Declares one test per pair: the events are the same error. */
export function mustGroup(pairs: readonly Pair[]): void {
  for (const [what, a, b] of pairs) it(`groups ${what}`, () => assert.equal(keyOf(a), keyOf(b)));
}

/** Declares one test per pair: the events are different errors. */
export function mustNotGroup(pairs: readonly Pair[]): void {
  for (const [what, a, b] of pairs) it(`keeps apart ${what}`, () => assert.notEqual(keyOf(a), keyOf(b)));
}
