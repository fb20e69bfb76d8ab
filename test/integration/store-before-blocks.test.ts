import assert from 'node:assert/strict';
import { join } from 'node:path';
import { eventBody } from '../../bench/measure/event-body.ts';
import type { DigestedEvent } from '../../src/domain/ingest/digest.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { groupV1 } from '../../src/integrated/digest/group/v1/group.ts';
import { SCHEMA_VERSION as MONGO_VERSION } from '../../src/storage/mongo/schema/migrations.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { pendingMigration } from '../../src/storage/open/pending-migration.ts';
import { sqlite } from '../../src/storage/sqlite/engine/driver.ts';
import { SCHEMA_VERSION as SQLITE_VERSION } from '../../src/storage/sqlite/migrations/migrations.ts';
import { IN_FULL_RUN } from '../support/full-run.ts';
import { withClient } from '../support/mongo-engine.ts';
import { withOwnPayload } from '../support/pack-events.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import { bodiesOf, eventsOf, readStore, type StoreAnswers } from '../support/read-store.ts';
import { hexId, HOUR, TestJournal } from '../support/store-data.ts';
import { answersBefore, describeOnStoresBefore, READ_AT, type StoreBefore } from '../support/stores-before-blocks.ts';
import { digester, record } from '../unit/integrated/digest/digest-support.ts';

const SHOP = 1;
const SITE = 2;
const MINUTE = 60_000;
/** Time of receipt between the captures and the events that came after them. */
const AFTER_CAPTURES = Date.parse('2026-11-20T18:45:00Z');
/** Error of the shop that has 30 old events. */
const CROWDED = 'PaymentError1';

const BEFORE = answersBefore();
const OLD_BODIES = bodiesOf(BEFORE);
const OF_CROWDED = new Set(errorOf(BEFORE, SHOP, CROWDED).list.map(({ eventId }) => eventId));

const digest = digester({ group: groupV1, userSalt: 'fixture' });

/** Digests new events, later than all others, of a kind that the stores may have. */
function newEvents(projectId: number, type: number, count: number): DigestedEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const receivedAt = READ_AT + HOUR + index * MINUTE;
    const eventId = hexId(`new ${projectId} ${type} ${index}`);
    const body = eventBody(new Date(receivedAt), eventId, type, index % 7);
    const { event } = digest(record(body, { projectId, keyId: projectId, receivedAt, eventId }));
    assert.ok(event !== null);
    return withOwnPayload(event);
  });
}

function errorOf({ projects }: StoreAnswers, projectId: number, title: string) {
  const found = projects
    .find(({ project }) => project?.id === projectId)
    ?.errors.find(({ detail }) => detail?.title.startsWith(title));
  assert.ok(found !== undefined, title);
  return found;
}

/** Repeats are counted as outcomes, and nowhere else. */
function withoutOutcomes({ projects, ...rest }: StoreAnswers) {
  return { ...rest, projects: projects.map(({ outcomes: _, ...project }) => project) };
}

describeOnStoresBefore('a store of the version before blocks', (kind, suite) => {
  suite.timeout(120_000);
  const current = kind.name === 'SQLite' ? SQLITE_VERSION : MONGO_VERSION;
  let place: StoreBefore;
  let store: Store;

  beforeEach(async () => {
    place = await kind.make();
  });
  afterEach(() => place.remove());

  const open = (migrate?: boolean) =>
    openStore({ url: place.url, dataDir: place.dataDir, ...(migrate === undefined ? {} : { migrate }) });
  const answers = () => readStore(store, READ_AT);

  /** Counts the blocks of the store, and the events whose body is in one. */
  async function blocks(): Promise<{ blocks: number; events: number }> {
    if (kind.name === 'MongoDB') {
      return withClient(place.url, async (client) => ({
        blocks: await client.db().collection('eventblocks').countDocuments(),
        // A reference is a byte and 16 bytes.
        events: await client
          .db()
          .collection('events')
          .countDocuments({ d: { $exists: true }, $expr: { $eq: [{ $binarySize: '$d' }, 17] } }),
      }));
    }
    const db = new sqlite.DatabaseSync(join(place.dataDir, 'errgate.db'), { readOnly: true });
    const count = (from: string) => Number(db.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.n);
    const found = { blocks: count('event_blocks'), events: count('events WHERE block_id IS NOT NULL') };
    db.close();
    return found;
  }

  it('is brought up to date by the command, the embedded one also when it is opened', async () => {
    assert.ok(current > kind.version, 'the earlier program refuses the store from then on');
    const [migration, ...more] = await pendingMigration(place);
    assert.equal(migration, `migrate from schema version ${kind.version} to ${current}`);
    const indexes = [
      'websessions.of_provider',
      'identities.by_subject',
      'identities.of_user',
      'grantedroles.of_user',
      'grantedroles.by_path',
      'alertchannels.of_project',
      'alertarms.of_project',
      'favourites.of_user',
      'favourites.of_project',
      'seenissues.by_time',
      'groups.by_path',
      'groups.by_former_path',
      'groupmembers.of_user',
      'groupmembers.of_group',
      'projectaliases.of_project',
      'tokenprojects.of_token',
      'tokenprojects.of_project',
      'buildreleases.of_project',
      'releasecommits.of_release',
      'releasecommits.of_commit',
      'deploys.of_release',
      'deploys.of_project',
      'artifactbundles.of_project',
      'artifactbundles.newest',
      'artifactbundles.newest_of_release',
      'artifactbundles.of_file',
      'artifactmaps.of_bundle',
      'artifactmaps.newest_by_debug_id',
      'artifactmaps.newest_by_url',
      'artifactmaps.of_file',
      'pendinguploads.of_project',
      'continuations.of_project',
      'auditevents.of_entity',
      'auditevents.of_author',
      'auditevents.of_event',
      'auditevents.of_outcome',
      'invitations.by_address',
      'invitations.by_hash',
      'invitations.of_project',
      'invitations.of_group',
      'invitations.of_place',
      'invitations.of_email',
      'forwardstates.of_project',
      'events.unpacked',
      'eventblocks.by_time',
      'errorusers.of_user',
      'usernames.by_day',
      'deletederrors.unfinished',
      'deletederrors.by_time',
      'discardedhashes.of_group',
      'discardedgroups.of_project',
      'errortags.by_term',
      'errors.by_mute',
      'errors.by_release',
      'errors.by_details',
      'errors.by_assignee',
      'errors.pending',
      'errors.by_term',
      'errors.by_level',
      'errors.for_review',
      'errors.regressed',
      'errors.escalated',
      'errors.to_rank',
      'errors.rank_due',
      'errors.by_matters',
      'errors.by_count_1h',
      'errors.by_count_24h',
      'errors.by_count_7d',
      'errors.by_count_14d',
      'errors.by_count_30d',
      'errors.merged_by_count_1h',
      'errors.merged_by_count_24h',
      'errors.merged_by_count_7d',
      'errors.merged_by_count_14d',
      'errors.merged_by_count_30d',
      'errors.merged_by_matters',
      'outcomes.by_project',
      'eventreports.by_time',
      'importsources.by_project',
      'importederrors.of_source',
      'importederrors.by_former_id',
      'groupaliases.of_error',
      'knownthere.of_group_hash',
      'knownthere.by_time',
      'importedevents.of_error',
      'importedevents.by_import',
      'alertfacts.by_place',
      'alertfacts.waiting',
      'alertfacts.of_error',
      'alertdeliveries.of_project',
      'alertdeliveries.by_time',
      'alertdeliveries.failed',
      'linkedissues.by_url',
      'savedviews.of_project',
      'artifacts.files.filename_1_uploadDate_1',
      'artifacts.chunks.files_id_1_n_1',
    ].map((name) => `make the index ${name}`);
    const changed = 'recreate the index websessions.of_user: it has other keys or options than expected';
    assert.deepEqual(more, kind.name === 'SQLite' ? [] : [...indexes, changed]);
    await assert.rejects(open(false), { code: 'store_outdated', message: /errgate migrate/ });
    if (kind.name === 'MongoDB') await assert.rejects(open(), { code: 'store_outdated', message: /errgate migrate/ });
    assert.deepEqual(await pendingMigration(place), [migration, ...more], 'a refusal changes nothing');

    store = await open(kind.name === 'MongoDB' ? true : undefined);
    assert.equal((await store.stats()).schemaVersion, current);
    await store.close();
    assert.deepEqual(await pendingMigration(place), []);
  });

  describe('brought up to date', () => {
    beforeEach(async () => {
      store = await open(true);
    });
    afterEach(() => store.close());

    it('answers as before: lists, counts, and the body of every event', async () => {
      assert.deepEqual(await answers(), BEFORE);
      assert.equal(OLD_BODIES.size, 81);
      assert.deepEqual(await blocks(), { blocks: 0, events: 0 });
    });

    it('takes new batches, whose events join the errors that it has', async () => {
      const journal = new TestJournal(store);
      const added = [...newEvents(SHOP, 1, 40), ...newEvents(SITE, 2, 20), ...newEvents(SITE, 4, 3)];
      const result = await journal.apply([...added, ...newEvents(SHOP, 1, 2)]);
      assert.deepEqual(result, { kind: 'applied', stored: 63, duplicates: 2, newErrors: 1 });
      const packed = await blocks();
      assert.ok(packed.blocks >= 2 && packed.events >= 32, JSON.stringify(packed));

      const after = await answers();
      assert.equal(errorOf(after, SHOP, CROWDED).detail?.count, 70);
      assert.equal(errorOf(after, SITE, 'PaymentError2').detail?.count, 29);
      const bodies = bodiesOf(after);
      assert.equal(bodies.size, OLD_BODIES.size + added.length);
      for (const [id, body] of OLD_BODIES) assert.deepEqual(bodies.get(id), body, id);
      for (const { eventId } of added) assert.equal(bodies.get(eventId)?.event_id, eventId);

      const [repeat] = newEvents(SITE, 2, 1);
      assert.ok(repeat !== undefined);
      const repeats = ['long ago', 'lines'].map((name) => ({ ...repeat, eventId: hexId(name) }));
      assert.deepEqual(await journal.apply(repeats), { kind: 'applied', stored: 0, duplicates: 2, newErrors: 0 });
      assert.deepEqual(withoutOutcomes(await answers()), withoutOutcomes(after));
    });

    // What follows is as with every store; each test on MongoDB fills and upgrades one of its own.
    if (kind.name === 'MongoDB' && !IN_FULL_RUN) return;

    it('knows the last batch of its journal', async () => {
      const journalId = hexId('journal');
      assert.equal(await store.lastBatch(journalId), 4);
      const batchId = { journalId, n: 4, hash: hexId('batch 4') };
      assert.deepEqual(await store.applyBatch(batchId, { events: [], outcomes: [] }), { kind: 'already_applied' });
    });

    it('is pruned by age, old and new events alike', async () => {
      const added = newEvents(SHOP, 1, 40);
      await new TestJournal(store).apply(added);
      const all = eventsOf(await answers());
      for (const before of [AFTER_CAPTURES, READ_AT, READ_AT + HOUR + 15 * MINUTE, READ_AT + 3 * HOUR]) {
        const expected = new Map(
          [...all].flatMap(([id, { receivedAt, event }]) => (receivedAt >= before ? [[id, event]] : [])),
        );
        await pruneAll(store, { ...KEEP, receivedBefore: before });
        const left = await answers();
        assert.deepEqual(bodiesOf(left), expected);
        assert.equal(left.events, expected.size);
        assert.equal(left.errors, BEFORE.errors, 'errors stay');
      }
      assert.equal((await blocks()).events, 0);
      // A key without its payload is removed by its own age, and the event is new again.
      await pruneAll(store, { ...KEEP, keysReceivedBefore: READ_AT });
      const [first] = newEvents(SHOP, 1, 1);
      assert.ok(first !== undefined);
      const result = await new TestJournal(store).apply([{ ...first, eventId: hexId('large') }, first]);
      assert.deepEqual(result, { kind: 'applied', stored: 1, duplicates: 1, newErrors: 0 });
    });

    it('is pruned by the bound per error, old and new events alike', async () => {
      const added = newEvents(SHOP, 1, 40);
      await new TestJournal(store).apply(added);
      const bodies = bodiesOf(await answers());
      for (const cap of [60, 30, 6]) {
        await pruneAll(store, { ...KEEP, maxEventsPerError: cap });
        const left = await answers();
        for (const [id, body] of bodiesOf(left)) assert.deepEqual(body, bodies.get(id), id);
        const { list, events } = errorOf(left, SHOP, CROWDED);
        assert.ok(list.length <= cap && list.length >= cap / 2, String(list.length));
        assert.ok(!events.includes(null));
        assert.equal(list.at(0)?.eventId, added.at(-1)?.eventId, 'the newest stays');
        assert.equal(list.at(-1)?.eventId, [...OF_CROWDED].at(-1), 'the oldest stays');
      }
    });

    it('keeps every body when retention packs them', async () => {
      await pruneAll(store, { ...KEEP, packReceivedBefore: READ_AT });
      assert.deepEqual(await answers(), BEFORE);
      const packed = await blocks();
      if (kind.name === 'MongoDB') {
        assert.deepEqual(packed, { blocks: 0, events: 0 }, 'documents of earlier versions stay as they are');
      } else {
        // The large one is never packed, and at the end of a project up to seven find too few others.
        assert.ok(packed.events > 60 && packed.blocks < 10, JSON.stringify(packed));
      }

      // New events that come one by one are packed beside them.
      const journal = new TestJournal(store);
      const added = newEvents(SHOP, 1, 20);
      for (const event of added) await journal.apply([event]);
      const all = await answers();
      await pruneAll(store, { ...KEEP, packReceivedBefore: READ_AT + 2 * HOUR });
      assert.deepEqual(await answers(), all);
      assert.ok((await blocks()).events >= packed.events + added.length - 7);
      await pruneAll(store, { ...KEEP, receivedBefore: READ_AT });
      assert.deepEqual([...bodiesOf(await answers()).keys()].sort(), added.map(({ eventId }) => eventId).sort());
    });

    it('loses a project with its old and new events, and keeps the other', async () => {
      await new TestJournal(store).apply([...newEvents(SHOP, 1, 20), ...newEvents(SITE, 2, 20)]);
      const [, site] = (await answers()).projects;
      assert.equal(await store.deleteProject(SHOP), true);
      await pruneAll(store, KEEP);
      assert.deepEqual((await answers()).projects, [site]);
      const packed = await blocks();
      assert.equal(packed.blocks, 1);
      assert.ok(packed.events >= 8, String(packed.events));
    });
  });
});
