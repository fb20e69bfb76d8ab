import assert from 'node:assert/strict';
import type { AlertFact } from '../../src/domain/alerts/alert-fact.ts';

/** Error with the entries of its activity log. */
export interface LoggedError {
  readonly groupHash: string;
  readonly log: readonly { readonly kind: string; readonly at: number }[];
  /** True: an import made it, which makes no fact. */
  readonly imported?: boolean;
}

/**
 * Requires each fact once: one for each error that events created, and one for each status that ended, as the log of
 * the error says. Facts of affected users are not looked at.
 */
export function requireFactsOnce(
  facts: readonly Pick<AlertFact, 'id' | 'kind' | 'at'>[],
  errors: readonly LoggedError[],
): void {
  const ids = facts.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, 'a fact is there twice');
  const expected = errors.flatMap(({ groupHash, log, imported = false }) => [
    ...(imported ? [] : [`new ${groupHash}`]),
    ...log.filter(({ kind }) => kind === 'regressed' || kind === 'unmuted').map((end) => textOf(end, groupHash)),
  ]);
  const found = facts
    .filter(({ kind }) => kind !== 'escalated')
    .map((fact) => {
      const groupHash = fact.id.split(':')[1] ?? '';
      return fact.kind === 'new' ? `new ${groupHash}` : textOf(fact, groupHash);
    });
  // Two ends at the same time may be one fact.
  assert.deepEqual([...new Set(found)].sort(), [...new Set(expected)].sort(), 'facts');
}

function textOf({ kind, at }: { readonly kind: string; readonly at: number }, groupHash: string): string {
  return `${kind} ${groupHash} ${at}`;
}
