import type { Page } from '../../../domain/page.ts';
import type { ReportedEvent } from '../../../domain/events/report-list.ts';
import { decodeCursor, queryHash, type Cursor } from '../../errors/cursor.ts';
import { EVENT_ID } from '../../events/event-body.ts';
import type { MongoContext } from '../engine/context.ts';
import { errorKey, eventIdOf, eventKey, groupHashOf, type Binary } from '../documents/document-keys.ts';
import { WITH_PAYLOAD } from '../documents/documents.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { reading } from '../engine/operation-options.ts';
import { errorsByNumber } from '../errors/errors-by-number.ts';
import type { EventReportsDocument } from '../documents/release-documents.ts';
import { inOrder } from './event-reports.ts';
import { beyond, mongoPage, orderOf } from '../engine/mongo-page.ts';

type Reported = Pick<EventReportsDocument, '_id' | 'rcv' | 'r'>;
type Named = Pick<ErrorDocument, '_id' | 'id' | 'into' | 'last' | 'g'>;

const NAMED = { id: 1, into: 1, 'last.title': 1, 'g.last.title': 1 } as const;

/** Returns one page of a project's events with reports; see the port. */
export async function listReports(
  context: MongoContext,
  p: number,
  limit: number,
  cursorText: string | null,
): Promise<Page<ReportedEvent>> {
  const hash = queryHash(['reports', p]);
  const cursor = decodeCursor(cursorText, hash, (id) => typeof id === 'string' && EVENT_ID.test(id));
  const fetch = (from: Cursor | null, count: number) => {
    const order = orderOf(from);
    const id = from === null ? null : eventKey(p, String(from.id));
    return context.collections.eventReports
      .find<Reported>({ p, ...beyond(from, 'rcv', '_id', id) }, reading('reports.list', { rcv: 1, r: 1 }))
      .sort({ rcv: order, _id: order })
      .limit(count)
      .toArray();
  };
  const placeOf = ({ _id, rcv }: Reported) => ({ value: rcv, id: eventIdOf(_id) });
  const page = await mongoPage(fetch, placeOf, cursor, limit, hash);
  const errors = await errorsOfEvents(
    context,
    p,
    page.items.map(({ _id }) => _id),
  );
  const items = page.items.map(({ _id, r }) => ({
    eventId: eventIdOf(_id),
    error: errors.get(eventIdOf(_id)) ?? null,
    reports: inOrder(r).reverse(),
  }));
  return { ...page, items };
}

/** Returns the displayed errors of stored events, by event id. */
async function errorsOfEvents(
  { collections }: MongoContext,
  p: number,
  ids: readonly Binary[],
): Promise<ReadonlyMap<string, NonNullable<ReportedEvent['error']>>> {
  if (ids.length === 0) return new Map();
  const filter = { _id: { $in: [...ids] }, p };
  const found = await Promise.all([
    collections.importedEvents.find(filter, reading('reports.imported', { l: 1 })).toArray(),
    collections.events.find({ ...filter, ...WITH_PAYLOAD }, reading('reports.stored', { l: 1 })).toArray(),
  ]);
  const groupHashes = new Map(found.flat().map(({ _id, l }) => [eventIdOf(_id), l.toString('hex')]));
  if (groupHashes.size === 0) return new Map();
  const keys = [...new Set(groupHashes.values())].map((groupHash) => errorKey(p, groupHash));
  const rows = await collections.errors
    .find<Named>({ _id: { $in: keys }, p }, reading('errors.of_event', NAMED))
    .toArray();
  const byNumber = new Map(rows.map((row) => [row.id, row]));
  const absent = [...new Set(rows.map(({ id, into }) => into ?? id))].filter((id) => !byNumber.has(id));
  if (absent.length > 0) {
    const roots = await errorsByNumber<Named>({ collections }, p, absent, 'errors.by_numbers', NAMED);
    for (const root of roots) byNumber.set(root.id, root);
  }
  const numbers = new Map(rows.map(({ _id, id, into }) => [groupHashOf(_id), into ?? id]));
  return new Map(
    [...groupHashes].flatMap(([eventId, groupHash]) => {
      const row = byNumber.get(numbers.get(groupHash) ?? 0);
      return row === undefined ? [] : [[eventId, { id: String(row.id), title: (row.g ?? row).last.title }]];
    }),
  );
}
