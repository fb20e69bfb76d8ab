import type { mongo } from 'mongoose';
import { LazyBlock, RecentBlocks } from '../../events/block-bodies.ts';
import { blockNameOf, blockOf } from '../documents/block-document.ts';
import type { MongoContext } from '../engine/context.ts';
import type { Binary } from '../documents/document-keys.ts';
import type { EventDocument } from '../documents/documents.ts';
import { reading } from '../engine/operation-options.ts';

/** Maximum events of a page. */
const PAGE = 1000;
/** Maximum blocks of a page: three pages are in memory. */
const PAGE_BLOCKS = 128;
/** Bytes of payloads that stand by themselves, after which a page ends. */
const PAGE_BYTES = 1024 * 1024;

/** Members of an event that an export reads. */
export const EVENT = { p: 1, l: 1, v: 1, r: 1, d: 1 } as const;
export type Event = Pick<EventDocument, '_id' | keyof typeof EVENT>;

/** Event with the name of the block that has its body; null: it stands by itself. */
export interface NamedEvent {
  readonly event: Event & { readonly d: Binary };
  readonly block: string | null;
}

/** Event with the block that has its body; null: it stands by itself. */
export interface LocatedEvent extends Pick<NamedEvent, 'event'> {
  readonly block: LazyBlock | null;
}

/** Yields events with payloads of projects in pages of bounded size. */
export async function* eventPages(
  cursor: mongo.FindCursor<Event>,
  inProjects: ReadonlySet<number>,
): AsyncGenerator<NamedEvent[]> {
  let [page, bytes]: [NamedEvent[], number] = [[], 0];
  const blocks = new Set<string>();
  try {
    while (await cursor.hasNext()) {
      for (const event of cursor.readBufferedDocuments()) {
        if (!hasPayload(event) || !inProjects.has(event.p)) continue;
        const named = nameBlock(event);
        page.push(named);
        if (named.block === null) bytes += event.d.length();
        else blocks.add(named.block);
        if (page.length < PAGE && blocks.size < PAGE_BLOCKS && bytes < PAGE_BYTES) continue;
        yield page;
        [page, bytes] = [[], 0];
        blocks.clear();
      }
    }
    if (page.length > 0) yield page;
  } finally {
    await cursor.close();
  }
}

function hasPayload(event: Event): event is NamedEvent['event'] {
  return event.d !== undefined;
}

function nameBlock(event: NamedEvent['event']): NamedEvent {
  return { event, block: blockNameOf(event.p, event.d) };
}

/** Reads the blocks of pages of events, each block once while its events are near each other. */
export async function* locatedEvents(
  context: MongoContext,
  pages: AsyncIterable<readonly NamedEvent[]>,
): AsyncGenerator<LocatedEvent[]> {
  const recent = new RecentBlocks();
  for await (const page of pages) {
    const { located, lost } = await locate(context, page, recent);
    if (lost.length === 0) {
      yield located;
      continue;
    }
    // Retention moved their bodies to other blocks since they were read, or removed them.
    const again = await locate(context, await readAgain(context, lost), recent);
    yield [...located, ...again.located, ...again.lost.map(({ event }) => ({ event, block: NO_BODIES }))];
  }
}

const NO_BODIES = new LazyBlock(new Uint8Array());

async function readAgain({ collections }: MongoContext, page: readonly NamedEvent[]): Promise<NamedEvent[]> {
  const filter = { _id: { $in: page.map(({ event }) => event._id) }, p: { $in: projectsOf(page) } };
  const found: Event[] = await collections.events.find(filter, reading('export.events', EVENT)).toArray();
  return found.filter(hasPayload).map(nameBlock);
}

interface Located {
  readonly located: LocatedEvent[];
  /** Events whose block is not stored. */
  readonly lost: NamedEvent[];
}

async function locate(context: MongoContext, page: readonly NamedEvent[], recent: RecentBlocks): Promise<Located> {
  const blocks = await blocksOf(context, page, recent);
  const found: Located = { located: [], lost: [] };
  for (const named of page) {
    const block = named.block === null ? null : blocks.get(named.block);
    if (block === undefined) found.lost.push(named);
    else found.located.push({ event: named.event, block });
  }
  return found;
}

async function blocksOf(
  { collections }: MongoContext,
  page: readonly NamedEvent[],
  recent: RecentBlocks,
): Promise<ReadonlyMap<string, LazyBlock>> {
  const blocks = new Map<string, LazyBlock>();
  const missing = new Map<string, Binary>();
  for (const { event, block } of page) {
    if (block === null || blocks.has(block) || missing.has(block)) continue;
    const known = recent.get(block);
    const id = known === null ? blockOf(event.p, event.d) : null;
    if (known !== null) blocks.set(block, known);
    if (id !== null) missing.set(block, id);
  }
  if (missing.size === 0) return blocks;
  const names = new Map([...missing].map(([name, id]) => [id.toString('hex'), name]));
  const filter = { _id: { $in: [...missing.values()] }, p: { $in: projectsOf(page) } };
  const found = collections.eventBlocks.find(filter, reading('export.blocks', { d: 1 })).batchSize(missing.size);
  for (const { _id, d } of await found.toArray()) {
    const name = names.get(_id.toString('hex'));
    if (name !== undefined) blocks.set(name, recent.add(name, d.buffer));
  }
  return blocks;
}

function projectsOf(page: readonly NamedEvent[]): number[] {
  return [...new Set(page.map(({ event }) => event.p))];
}
