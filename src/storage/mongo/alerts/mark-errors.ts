import { parseErrorId } from '../../errors/error-id.ts';
import { duplicatesIn } from '../batch/answers.ts';
import { byId, type BatchCollection } from '../engine/batch-collections.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import type { FactDocument } from '../documents/alert-documents.ts';
import { setMarks } from '../updates/marks.ts';

type Waiting = Pick<FactDocument, 'p' | 'e' | 'fact'>;

/**
 * Sets the marks of facts of escalation, before readers of the log see them. Errors of other trackers have no document.
 * Those of events have set theirs where they were left; that, and a repeat, changes nothing: the mark has the time of the
 * fact by then.
 */
export async function markErrors(errors: BatchCollection, facts: readonly Waiting[]): Promise<void> {
  const newest = new Map<string, Waiting>();
  for (const each of facts.filter(({ fact }) => fact.kind === 'escalated')) {
    const name = `${each.p} ${each.e}`;
    if (each.fact.at > (newest.get(name)?.fact.at ?? -Infinity)) newest.set(name, each);
  }
  if (newest.size === 0) return;
  const ids = new Map<number, number[]>();
  for (const { p, e } of newest.values()) {
    const id = parseErrorId(e);
    if (id !== null) ids.set(p, [...(ids.get(p) ?? []), id]);
  }
  const finds = [...ids].map(([p, some]) =>
    errors.find({ p, id: { $in: some } }, { p: 1, id: 1, 'g.c': 1 }, 'majority', 'errors.to_mark'),
  );
  const rows = (await Promise.all(finds)).flat() as unknown as Pick<ErrorDocument, '_id' | 'p' | 'id' | 'g'>[];
  const operations = rows
    .sort((a, b) => byId(a._id, b._id))
    .flatMap(({ _id, p, id, g }) => {
      const fact = newest.get(`${p} ${id}`)?.fact;
      if (fact === undefined) return [];
      const filter = { _id, p, 'esc.at': { $not: { $gte: fact.at } } };
      return [{ filter, update: { $set: { ...setMarks(fact, g !== undefined), dq: 1 } }, upsert: false }];
    });
  if (operations.length > 0) duplicatesIn(await errors.updateEach(operations, 'errors.mark'));
}
