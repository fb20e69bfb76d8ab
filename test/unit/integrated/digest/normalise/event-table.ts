import assert from 'node:assert/strict';
import type { NormalisedEvent } from '../../../../../src/domain/events/event.ts';
import { normalise } from '../digest-support.ts';

export type Row = [what: string, raw: unknown, read: (event: NormalisedEvent) => unknown, expected: unknown];

/** One test per row: normalise the raw event, read something off it, compare. */
export function table(rows: Row[]): void {
  for (const [what, raw, read, expected] of rows) {
    it(what, () => assert.deepEqual(read(normalise(raw)), expected));
  }
}
