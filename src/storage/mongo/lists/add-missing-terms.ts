import { searchTermsOf, type SearchTerms } from '../../search/search-terms.ts';
import { keyFilters } from '../batch/known/key-filters.ts';
import type { MongoContext } from '../engine/context.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { latestEvent } from '../events/event-views.ts';
import { termMembers } from '../updates/term-members.ts';

/** Errors whose events are read at once. */
const AT_ONCE = 10;

type Row = Pick<ErrorDocument, '_id' | 'p' | 'id'>;

/**
 * Adds the terms of errors that are older than terms, or imported, from their newest stored event. Errors without one
 * get theirs when an event is imported.
 */
export async function addMissingTerms(context: MongoContext, rows: readonly Row[]): Promise<void> {
  const { errors } = context.collections;
  const missing: Row[] = [];
  for (const filter of keyFilters(rows)) {
    const given = { _id: { $in: [...filter._id.$in] }, p: { $in: [...filter.p.$in] }, tm: { $exists: false } };
    missing.push(...(await errors.find<Row>(given, reading('errors.without_terms', { p: 1, id: 1 })).toArray()));
  }
  for (let from = 0; from < missing.length; from += AT_ONCE) {
    const some = missing.slice(from, from + AT_ONCE);
    const terms = await Promise.all(some.map((row) => termsOf(context, row)));
    const operations = some.flatMap(({ _id, p }, at) => {
      const found = terms[at] ?? null;
      if (found === null) return [];
      return { updateOne: { filter: { _id, p, tm: { $exists: false } }, update: { $set: termMembers(found) } } };
    });
    if (operations.length === 0) continue;
    operations.sort((a, b) => Buffer.compare(a.updateOne.filter._id.buffer, b.updateOne.filter._id.buffer));
    await errors.bulkWrite(operations, { ...writing('errors.put_terms'), ordered: false });
  }
}

async function termsOf(context: MongoContext, { p, id }: Row): Promise<SearchTerms | null> {
  const found = await latestEvent(context, p, String(id));
  return found === null ? null : searchTermsOf({ ...found.event, level: found.event.level ?? 'error' });
}
