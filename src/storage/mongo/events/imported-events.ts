import type { Cursor } from '../../errors/cursor.ts';
import type { MongoContext } from '../engine/context.ts';
import { eventIdOf, eventKey, hexBinary, type Binary } from '../documents/document-keys.ts';
import { WITH_PAYLOAD } from '../documents/documents.ts';
import type { ImportedEventDocument } from '../documents/import-documents.ts';
import { reading } from '../engine/operation-options.ts';
import { beyond, orderOf } from '../engine/mongo-page.ts';

const SUMMARY = { at: 1, r: 1 } as const;

/** Event of a former tracker in the place of a live one. */
export interface ImportedEventRow extends Pick<ImportedEventDocument, '_id' | 'at' | 'r'> {
  readonly imported: true;
}

/**
 * Returns imported events of an error beyond a place, nearest first. One that is stored as a live event too is left out:
 * it is shown as that. `groupHashes`: those of imported errors.
 */
export async function importedNeighbours(
  context: MongoContext,
  p: number,
  groupHashes: readonly string[],
  from: Cursor | null,
  limit: number,
): Promise<ImportedEventRow[]> {
  if (groupHashes.length === 0) return [];
  const l = { $in: groupHashes.map(hexBinary) };
  const rows: ImportedEventRow[] = [];
  for (let place = from; ;) {
    const id = place === null ? null : eventKey(p, String(place.id));
    const page = await context.collections.importedEvents
      .find<Pick<ImportedEventDocument, '_id' | 'at' | 'r'>>(
        { p, l, ...beyond(place, 'at', '_id', id) },
        reading('imported_events.of_error', SUMMARY),
      )
      .sort({ at: orderOf(place), _id: orderOf(place) })
      .limit(limit)
      .toArray();
    const live = await liveOnes(
      context,
      p,
      page.map(({ _id }) => _id),
    );
    rows.push(
      ...page.flatMap((row) => (live.has(row._id.toString('hex')) ? [] : [{ ...row, imported: true as const }])),
    );
    const last = page.at(-1);
    if (last === undefined || page.length < limit || rows.length >= limit) return rows.slice(0, limit);
    const direction = from?.direction ?? 'next';
    place = { value: last.at, id: eventIdOf(last._id), direction, inclusive: false };
  }
}

async function liveOnes({ collections }: MongoContext, p: number, ids: readonly Binary[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await collections.events
    .find({ _id: { $in: [...ids] }, p, ...WITH_PAYLOAD }, reading('events.live', { _id: 1 }))
    .toArray();
  return new Set(found.map(({ _id }) => _id.toString('hex')));
}

/** Returns imported events with their payloads. */
export async function importedEvents(
  { collections }: MongoContext,
  p: number,
  ids: readonly Binary[],
): Promise<ImportedEventDocument[]> {
  if (ids.length === 0) return [];
  return collections.importedEvents.find({ _id: { $in: [...ids] }, p }, reading('imported_events.by_id')).toArray();
}
