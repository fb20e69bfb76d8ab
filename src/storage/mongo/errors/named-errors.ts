import { eventIdIn } from '../../search/search-text.ts';
import type { MongoContext } from '../engine/context.ts';
import { errorKey, eventKey } from '../documents/document-keys.ts';
import { WITH_PAYLOAD } from '../documents/documents.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { reading } from '../engine/operation-options.ts';
import { findByExternalId } from './import-views.ts';

/** Returns the numbers of displayed errors that a whole search names: by a former id, or by an event of theirs. */
export async function namedErrors(context: MongoContext, p: number, search: string | null): Promise<number[]> {
  const text = (search ?? '').trim();
  if (text === '') return [];
  const eventId = eventIdIn(text);
  const [former, ofEvent] = await Promise.all([
    findByExternalId(context, p, text),
    eventId === null ? [] : errorsOfEvent(context, p, eventId),
  ]);
  return [...former.map(({ errorId }) => Number(errorId)), ...ofEvent];
}

async function errorsOfEvent({ collections }: MongoContext, p: number, eventId: string): Promise<number[]> {
  const filter = { _id: eventKey(p, eventId), p };
  const found = await Promise.all([
    collections.events.findOne({ ...filter, ...WITH_PAYLOAD }, reading('events.by_id', { l: 1 })),
    collections.importedEvents.findOne(filter, reading('imported_events.by_id', { l: 1 })),
  ]);
  const keys = found.flatMap((row) => (row === null ? [] : [errorKey(p, row.l.toString('hex'))]));
  if (keys.length === 0) return [];
  const rows = await collections.errors
    .find<Pick<ErrorDocument, 'id' | 'into'>>({ _id: { $in: keys }, p }, reading('errors.of_event', { id: 1, into: 1 }))
    .toArray();
  return rows.map(({ id, into }) => into ?? id);
}
