import type { Connection } from 'mongoose';
import { mongo } from 'mongoose';
import { encodePayload } from './encode-payload.ts';
import { COLLECTIONS } from '../../src/storage/mongo/engine/collections.ts';
import {
  errorHoursKey,
  errorKey,
  errorUserKey,
  eventKey,
  hexBinary,
  key,
  ownNoteKey,
  outcomeKey,
  userNameKey,
} from '../../src/storage/mongo/documents/document-keys.ts';
import { tagTerm } from '../../src/storage/mongo/documents/tag-terms.ts';
import { hexId, HOUR, NOON, normalisedEvent } from './store-data.ts';

export interface FillSize {
  /** Ids of the projects that share the errors evenly. */
  readonly projects: readonly number[];
  readonly errors: number;
  readonly events: number;
  /** Number of events of the n-th error; default: some ninety different numbers. */
  readonly count?: (error: number) => number;
}

const SLICE = 5000;
const TODAY = Math.floor(NOON / HOUR / 24);

/** Fills the collections that grow with events, bypassing the store: a large store in seconds. */
export async function fillMongo(connection: Connection, size: FillSize): Promise<void> {
  const { projects, errors, events, count = (error: number) => 10 + (error % 90) } = size;
  const projectOf = (error: number) => projects[error % projects.length] ?? 1;
  const groupHashOf = (error: number) => hexId(`group hash ${error}`);
  await insert(connection, COLLECTIONS.errors.name, errors, (index) =>
    errorDocument(projectOf(index), groupHashOf(index), index, count(index)),
  );
  await insert(connection, COLLECTIONS.errorHours.name, errors, (index) => ({
    _id: errorHoursKey(projectOf(index), groupHashOf(index), TODAY),
    p: projectOf(index),
    d: TODAY,
    h: { 12: 10 },
    w: {},
  }));
  await insert(connection, COLLECTIONS.errorTags.name, errors, (index) => ({
    _id: errorKey(projectOf(index), groupHashOf(index)),
    p: projectOf(index),
    t: {},
    // One that few errors have, and one of all.
    x: [tagTerm('browser', `v${index}`), tagTerm('common', null)],
    w: {},
  }));
  await insert(connection, COLLECTIONS.errorUsers.name, errors, (index) => ({
    _id: errorUserKey(projectOf(index), groupHashOf(index), hexId('user', 24)),
    p: projectOf(index),
    s: 1,
    n: 1,
    h: hexBinary(hexId('user', 24)),
  }));
  await insert(connection, COLLECTIONS.userNames.name, errors, (index) => ({
    _id: userNameKey(projectOf(index), hexId(`name ${index}`, 24), hexId('user', 24)),
    p: projectOf(index),
    // Later than what is pruned.
    d: 1_000_000,
  }));
  await insert(connection, COLLECTIONS.deletedErrors.name, errors, (index) => ({
    _id: errorKey(projectOf(index), hexId(`deleted ${index}`)),
    p: projectOf(index),
    id: 9_000_000 + index,
    at: 4e15,
    w: { 1: 1 },
  }));
  await insert(connection, COLLECTIONS.discardedHashes.name, errors, (index) => ({
    _id: errorKey(projectOf(index), hexId(`discarded ${index}`)),
    p: projectOf(index),
    g: index,
  }));
  await insert(connection, COLLECTIONS.discardedGroups.name, errors, (index) => ({
    _id: projectOf(index) * 1_000_000 + index,
    projectId: projectOf(index),
    title: 't',
    type: null,
    at: NOON,
    userId: null,
  }));
  await insert(connection, COLLECTIONS.outcomes.name, errors, (index) => ({
    _id: outcomeKey(projectOf(index), TODAY * 24 - index, 'a'),
    p: projectOf(index),
    hr: TODAY * 24 - index,
    k: 1,
    c: 'error',
    o: 'accepted',
    r: '',
    q: 1,
    w: {},
  }));
  await insert(connection, COLLECTIONS.eventBlocks.name, errors, (index) => {
    const p = projectOf(index);
    const bytes = new mongo.Binary(Buffer.alloc(16, index));
    // Two pages are pruned, the rest is later: planners scan a collection that is nearly empty.
    const t = index < 300 ? index : 4e15 + index;
    return { _id: key(p, hexId(`block ${index}`), 16), p, s: -1, n: 0, t, e: bytes, d: bytes };
  });
  await insert(connection, COLLECTIONS.ownNotes.name, errors, (index) => {
    const p = projectOf(index);
    return { _id: ownNoteKey(p, groupHashOf(index), index + 1), p, u: 1, at: NOON, m: 'a note' };
  });
  const payload = new mongo.Binary(Buffer.from(encodePayload(normalisedEvent('0'.repeat(32)))));
  await insert(connection, COLLECTIONS.events.name, events, (index) => {
    const error = index % errors;
    const p = projectOf(error);
    const at = NOON - index;
    const _id = eventKey(p, hexId(`event ${index}`));
    return { _id, p, l: hexBinary(groupHashOf(error)), v: 1, u: null, at, r: at, s: 1, n: 1, d: payload };
  });
}

/**
 * Compacts after a bulk fill to update the statistics of an engine, which it would otherwise do later. Servers
 * without the command are left as they are.
 */
export async function refreshStatistics({ db }: Connection, only?: ReadonlySet<string>): Promise<void> {
  for (const { name } of (await db?.listCollections({}, { nameOnly: true }).toArray()) ?? []) {
    if (only?.has(name) === false) continue;
    await db?.command({ compact: name, force: true }).catch(() => undefined);
  }
}

function errorDocument(p: number, groupHash: string, index: number, c: number): mongo.Document {
  const at = NOON - index * 1000;
  const id = hexBinary(hexId(`event ${index}`));
  const title = `Error ${index}`;
  const last = { at, id, release: null, type: null, message: null, title, culprit: null };
  return {
    _id: errorKey(p, groupHash),
    p,
    id: 1_000_000 + index,
    v: 1,
    st: index % 3,
    c,
    u: index % 7,
    k: 10,
    first: { at: at - 1000, id, release: null },
    last: { ...last, level: 'error', platform: 'python', q: title.toLowerCase() },
    rcv: at,
    res: null,
    into: null,
    w: {},
    ...listMembers(index),
  };
}

/** Members by which lists sort and find errors: marks of few, ranks of all. */
function listMembers(index: number): mongo.Document {
  const rg = { '1h': index % 3, '24h': index % 5, '7d': index % 7, '14d': index % 7, '30d': index % 9 };
  return {
    ...{ rg, rk: index, due: 4e15 + index, tm: ['f:common.py', `f:file${index}.py`, `n:handler${index}`] },
    ...(index % 40 === 0 ? { ask: NOON - index } : {}),
    ...(index % 50 === 0 ? { reg: { at: NOON - index, r: null }, esc: { at: NOON - index, c: {} } } : {}),
    ...(index % 60 === 0 ? { as: 7 } : {}),
  };
}

async function insert(
  { db }: Connection,
  collection: string,
  count: number,
  make: (index: number) => mongo.Document,
): Promise<void> {
  for (let from = 0; from < count; from += SLICE) {
    const slice = Array.from({ length: Math.min(SLICE, count - from) }, (_, index) => make(from + index));
    await db?.collection(collection).insertMany(slice, { ordered: false });
  }
}
