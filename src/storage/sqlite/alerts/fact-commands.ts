import type { NewFact } from '../../../domain/alerts/alert-fact.ts';
import { projectById } from '../projects/project-views.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { addFact } from '../updates/fact-rows.ts';

/** Adds facts of jobs; those of removed projects are left out. */
export function addFacts(context: WriteContext, facts: readonly NewFact[]): number {
  const known = facts.filter(({ projectId }) => projectById(context.db, projectId) !== null);
  return known.filter((fact) => addFact(context, fact)).length;
}

export function silenceFacts(
  { db }: WriteContext,
  reasons: readonly { readonly seq: number; readonly reason: string }[],
): void {
  for (const { seq, reason } of reasons) db.run('UPDATE alert_facts SET silence = ? WHERE seq = ?', reason, seq);
}
