import assert from 'node:assert/strict';
import { hashOfName } from '../../src/lib/user-hash.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { SearchCondition } from '../../src/domain/search/search-condition.ts';
import { TIME_RANGES } from '../../src/domain/search/time-range.ts';
import { ERROR_SORTS, type ErrorSelection } from '../../src/domain/search/error-query.ts';
import type { MongoContext } from '../../src/storage/mongo/engine/context.ts';
import { errorKey, errorUserKey, hexBinary, userNameKey } from '../../src/storage/mongo/documents/document-keys.ts';
import { countTabs } from '../../src/storage/mongo/search/tab-counts.ts';
import { tagTerm } from '../../src/storage/mongo/documents/tag-terms.ts';
import { encodePayload } from './encode-payload.ts';
import { IN_FULL_RUN } from './full-run.ts';
import { DAY, errorOf, EVERYTHING, hexId, makeEvent, NOON, normalisedEvent, TestJournal } from './store-data.ts';

const NOTHING_SET: ErrorSelection = {
  ...{ status: 'all', search: null, environment: null, release: null, level: null },
};

/** Conditions that an index finds, one by one, and that nothing else can tell. */
const CONDITIONS: readonly SearchCondition[] = [
  { field: 'status', value: 'resolved', not: true },
  { field: 'level', value: 'fatal', not: false },
  { field: 'type', value: 'ValueError', not: false },
  { field: 'assignee', value: null, not: false },
  { field: 'assignee', value: 7, not: false },
  ...(['new', 'regressed', 'escalating', 'unhandled', 'for_review'] as const).map(
    (value) => ({ field: 'mark', value, not: false }) as const,
  ),
  { field: 'release', value: 'none', not: false },
  { field: 'environment', value: 'none', not: true },
  { field: 'tag', key: 'browser', value: 'v7', not: false },
  { field: 'tag', key: 'common', value: null, not: false },
  { field: 'tag', key: 'common', value: null, not: true },
  { field: 'file', value: 'common.py', not: false },
  { field: 'file', value: 'file7.py', not: true },
  { field: 'url.host', value: 'site-b.example', not: false },
  { field: 'url.host', value: 'site', match: 'prefix', not: false },
  { field: 'url.path', value: '/check', match: 'prefix', not: false },
  { field: 'function', value: 'handler7', not: false },
  { field: 'tag', key: 'browser', value: 'v7', match: 'prefix', not: false },
  { field: 'tag', key: 'browser', value: 'v', match: 'prefix', not: false },
  { field: 'tag', key: 'browser', value: 'v7', match: 'name', not: false },
  { field: 'release', value: 'shop@7', match: 'prefix', not: false },
  { field: 'file', value: 'file7', match: 'prefix', not: false },
  { field: 'file', value: 'common', match: 'prefix', not: true },
  { field: 'function', value: 'handler7', match: 'prefix', not: false },
  { field: 'type', value: 'Value', match: 'prefix', not: false },
  {
    ...{ field: 'any', not: false },
    of: [
      { field: 'tag', key: 'browser', value: 'v7' },
      { field: 'tag', key: 'browser', value: 'v8', match: 'prefix' },
    ],
  },
  {
    ...{ field: 'any', not: false },
    of: [
      { field: 'file', value: 'file7.py' },
      { field: 'file', value: 'file8', match: 'prefix' },
    ],
  },
  { field: 'user', value: 'ada@example.test', not: false },
  { field: 'user', value: 'everybody', not: false },
  { field: 'last_seen', after: NOON - 1000, before: null, not: false },
];

/** Asks everything of lists, ranks and deleted errors. The project has more errors than one look-up reads. */
export async function useLists(store: Store, context: MongoContext): Promise<void> {
  const project = (await store.listProjects()).find(({ path }) => path === 'g/p7');
  assert.ok(project !== undefined);
  const { id } = project;
  await store.initMeta('user_salt', 'salt');
  const payload = () => encodePayload(normalisedEvent(hexId('named'), 'named'));
  const named = { group: 'named', user: 'ada', userNames: ['ada@example.test'], payload: payload() };
  await new TestJournal(store, 'named').apply([makeEvent(project, 'named', named)]);
  const old = { _id: errorKey(id, hexId(`${id} named`)), p: id };
  await context.collections.errors.updateOne(old, { $set: { dq: 1 }, $unset: { tm: '' } });
  while ((await store.rankErrors(NOON)) >= 1000);
  await store.rankErrors(NOON + DAY);
  await addCommon(context, id);
  await store.addFacts([
    {
      ...{ id: `spike:${id}`, kind: 'escalated', cause: {}, projectId: id, errorId: '1000007', at: NOON, type: null },
      ...{ title: 't', message: null, culprit: null, level: null, release: null, environment: null },
    },
  ]);
  for (const condition of CONDITIONS) {
    await store.listErrors(id, { ...EVERYTHING, limit: 10, conditions: [condition] }, NOON);
  }
  for (const range of TIME_RANGES) {
    for (const sort of ERROR_SORTS) await store.listErrors(id, { ...EVERYTHING, limit: 10, sort, range }, NOON);
  }
  await store.releaseNames(id);
  await store.listErrors(id, { ...EVERYTHING, sort: 'matters', forReview: true }, NOON);
  await store.countTabs(id, NOTHING_SET, NOON);
  const common: SearchCondition = { field: 'tag', key: 'common', value: null, not: false };
  const having = async (bound: number): Promise<number[]> => {
    const selection = { ...NOTHING_SET, conditions: [common] };
    const { unresolved, resolved, ignored } = await countTabs(context, id, selection, NOON, bound);
    return [unresolved, resolved, ignored];
  };
  // Found only by reading on: half of what is read first lacks the tag.
  const tagged = await context.collections.errorTags.countDocuments({ p: id, x: tagTerm('common', null) });
  assert.ok(tagged > COMMON && tagged < COUNT_BOUND);
  const all = await having(COUNT_BOUND);
  assert.equal(
    all.reduce((sum, count) => sum + count, 0),
    tagged,
  );
  assert.equal(Math.max(...(await having(COMMON / 2))), COMMON / 2);
  await store.countTabs(id, { ...NOTHING_SET, conditions: [{ ...common, not: true }] }, NOON);
  await store.countTabs(id, { ...NOTHING_SET, conditions: [{ field: 'level', value: 'fatal', not: false }] }, NOON);
  const [one, two] = await store.matchingErrors(id, NOTHING_SET, 0, 2, NOON);
  const ids = [one?.errorId ?? '', two?.errorId ?? ''];
  await store.setErrorStatuses(id, ids, 'resolved', NOON);
  await store.setErrorStatuses(id, ids, 'unresolved', NOON, { from: { status: 'resolved', details: null } });
  await store.setAssignees(id, ids, null, null, NOON);
  assert.deepEqual(await store.unknownErrors(id, ids), []);
  await store.reviewErrors(id, ids, false, NOON);
  await store.reviewErrors(id, ids, true, NOON);
  await useDeletions(store, context, id);
}

/** Errors with a common tag, more than one look-up reads. */
const COMMON = 600;
/** Where counts of tabs end here, so that a small project has more errors than the first read takes. */
const COUNT_BOUND = IN_FULL_RUN ? 900 : 650;

/** Number of the first error that `fillMongo` adds. */
const FIRST_FILLED_ID = 1_000_000;

/**
 * Adds more errors with a common tag, file and user than one look-up reads, and so many without them that a count of
 * tabs reads on.
 */
async function addCommon({ collections }: MongoContext, p: number): Promise<void> {
  // Not any error: copies of a merged or late one would hide from the newest page what is added later.
  const one = await collections.errors.findOne({ p, id: { $gte: FIRST_FILLED_ID }, into: null, g: { $exists: false } });
  assert.ok(one !== null);
  const hashes = Array.from({ length: COMMON }, (_, index) => hexId(`common ${index}`));
  const userHash = hexId('everybody', 24);
  await collections.errors.insertMany(
    [...hashes, ...Array.from({ length: COUNT_BOUND }, (_, index) => hexId(`without ${index}`))].map((hash, index) => ({
      ...one,
      _id: errorKey(p, hash),
      id: 5_000_000 + index,
      tm: index < hashes.length ? ['f:common.py'] : [],
      into: null,
    })),
  );
  await collections.errorTags.insertMany(
    hashes.map((hash) => ({ _id: errorKey(p, hash), p, t: {}, x: [tagTerm('common', null)], w: {} })),
  );
  await collections.errorUsers.insertMany(
    hashes.map((hash) => ({ _id: errorUserKey(p, hash, userHash), p, s: 1, n: 1, h: hexBinary(userHash) })),
  );
  const name = userNameKey(p, hashOfName('salt', p, 'everybody'), userHash);
  await collections.userNames.insertOne({ _id: name, p, d: 1_000_000 });
}

async function useDeletions(store: Store, context: MongoContext, projectId: number): Promise<void> {
  const project = await store.projectById(projectId);
  assert.ok(project !== null);
  const journal = new TestJournal(store, 'deleted');
  await journal.apply([makeEvent(project, 'gone', { group: 'gone', user: 'u' })]);
  const { id } = await errorOf(store, project, 'gone');
  assert.equal(await store.deleteErrors(projectId, [id], true, null, NOON), 1);
  await journal.apply([makeEvent(project, 'gone later', { group: 'gone' })]);
  const [group] = await store.discardedGroups(projectId);
  await store.restoreDiscarded(projectId, group?.id ?? 0);
  const { deletedErrors, userNames } = context.collections;
  const filter = { _id: errorKey(projectId, hexId(`${projectId} gone`)), p: projectId };
  for (const busy of [1, 2]) {
    await deletedErrors.updateOne(filter, { $set: { busy, at: 1 } });
    await store.rankErrors(NOON);
  }
  // For the next pruning.
  await deletedErrors.updateOne(filter, { $set: { at: 1 }, $unset: { busy: '' } });
  await userNames.insertOne({ _id: userNameKey(projectId, '0'.repeat(24), '0'.repeat(24)), p: projectId, d: 1 });
}
