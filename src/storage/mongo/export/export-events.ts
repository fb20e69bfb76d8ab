import type { ExportBounds, ExportedEvent } from '../../../domain/ports/export-source.ts';
import { readAhead } from '../../../lib/read-ahead.ts';
import { ownBytes } from '../../events/block-bodies.ts';
import { IMPORTED_GROUPING_VERSION } from '../../imports/imported-group-hash.ts';
import type { MongoContext } from '../engine/context.ts';
import { eventIdOf } from '../documents/document-keys.ts';
import { ErrorNumbers } from './error-numbers.ts';
import { type Event, EVENT, eventPages, type LocatedEvent, locatedEvents } from './export-bodies.ts';
import { long, paged, type Start, within } from './export-reading.ts';

/** Documents asked for at a time; they have the bodies of blocks not. */
const BATCH = 1000;
/** Bodies of imported events of a page, each stored by itself. */
const IMPORTED_PAGE = 250;

/**
 * Events in the order of receipt, in which those of a block lie close together; then the bodies of imported events.
 * While a page is written, the blocks of the next one and the documents behind it are read.
 */
export async function* exportEvents(
  context: MongoContext,
  start: Start,
  bounds: ExportBounds,
): AsyncGenerator<ExportedEvent[]> {
  const found = context.collections.events
    .find(
      { r: { $gte: bounds.since ?? 0, $lte: start.at }, ...(bounds.projectId === null ? {} : { p: bounds.projectId }) },
      long('export.events', EVENT),
    )
    .sort({ r: 1 })
    .batchSize(BATCH);
  const numbers = new ErrorNumbers(context);
  const pages = readAhead(eventPages(found, new Set(within(start, bounds))));
  for await (const page of readAhead(withNumbers(locatedEvents(context, pages), numbers))) {
    yield page.flatMap(({ event, block }) => {
      const [errorId, eventId] = [numbers.of(event), eventIdOf(event._id)];
      if (errorId === null) return [];
      const json = block === null ? ownBytes(event.d.buffer) : block.find(eventId);
      return [toEvent(event, { errorId, eventId, json, imported: false })];
    });
  }
  yield* importedEvents(context, start, bounds, numbers);
}

async function* withNumbers(
  pages: AsyncIterable<LocatedEvent[]>,
  numbers: ErrorNumbers,
): AsyncGenerator<LocatedEvent[]> {
  for await (const page of pages) {
    await numbers.load(page.map(({ event }) => event));
    yield page;
  }
}

/** Bodies of imported events, error by error. */
async function* importedEvents(
  { collections }: MongoContext,
  start: Start,
  bounds: ExportBounds,
  numbers: ErrorNumbers,
): AsyncGenerator<ExportedEvent[]> {
  for (const p of within(start, bounds)) {
    const found = collections.importedEvents
      .find({ p, ...(bounds.since === null ? {} : { at: { $gte: bounds.since } }) }, long('export.imported_events'))
      .sort({ l: 1, at: -1, _id: -1 })
      .batchSize(IMPORTED_PAGE);
    for await (const page of readAhead(paged(found, IMPORTED_PAGE))) {
      const events = page.map(({ _id, l, at, d }) => ({ _id, p, l, v: IMPORTED_GROUPING_VERSION, r: at, d }));
      await numbers.load(events);
      yield events.flatMap((event) => {
        const errorId = numbers.of(event);
        if (errorId === null) return [];
        const eventId = eventIdOf(event._id);
        return [toEvent(event, { errorId, eventId, json: ownBytes(event.d.buffer), imported: true })];
      });
    }
  }
}

type Known = Pick<ExportedEvent, 'errorId' | 'eventId' | 'json' | 'imported'>;

function toEvent({ p, l, v, r }: Event, known: Known): ExportedEvent {
  const groupHash = { groupHash: l.toString('hex'), groupingVersion: v };
  return { projectId: p, groupHash, receivedAt: r, ...known };
}
