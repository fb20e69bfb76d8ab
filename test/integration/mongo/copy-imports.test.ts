import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { copyStore } from '../../../src/storage/copy/copy-store.ts';
import { openCopy, openStore, sqliteFile } from '../../../src/storage/open/open-store.ts';
import { startFakeSource } from '../../support/fake-source/fake-source.ts';
import type { SdkBody } from '../../support/fake-source/source-records.ts';
import { aliasFor, counted, importIssue, makeIssue, makeSource, putImported } from '../../support/import-data.ts';
import { IMPORT_TOKEN, importInto, liveEvent, pictureOf } from '../../support/import-world.ts';
import { describeOnMongo, TestDatabases } from '../../support/mongo-engine.ts';
import { KEEP, pruneAll } from '../../support/prune-all.ts';
import {
  DAY,
  EVERYTHING,
  errorOf,
  hexId,
  HOUR,
  makeEvent,
  makeForward,
  makeForwardState,
  makeProject,
  NOON,
  TestJournal,
} from '../../support/store-data.ts';

/** Number up to which the former tracker's issues have numbers. */
const RESERVED = 4711;

interface Filled {
  readonly project: Project;
  /** Imported errors: one with an alias, one merged with an error of its own, one whose alias was ended. */
  readonly joined: string;
  readonly merged: string;
  readonly left: string;
}

/** Some of everything that moving in keeps. */
async function fill(store: Store): Promise<Filled> {
  const project = await makeProject(store, 'acme/shop');
  const source = await makeSource(store, project);
  const second = await makeSource(store, project, 'second');
  await store.reserveErrorNumbers(RESERVED);
  const resolved = { status: 'resolved', changedAt: NOON - 100, details: '{"inRelease":"app@1"}' } as const;
  const issue = makeIssue(source, '1', { status: resolved, assignee: 'ada@acme.test', firstRelease: 'app@1' });
  const joined = await importIssue(store, project, issue, 40, ['joined']);
  const merged = await importIssue(store, project, makeIssue(second, '2'), 7);
  const left = await importIssue(store, project, makeIssue(source, '3'), 5, ['left']);

  const journal = new TestJournal(store);
  const event = (name: string, group: string, receivedAt: number) =>
    makeEvent(project, name, { group, user: `user of ${name}`, at: receivedAt - 5, receivedAt });
  await journal.apply([
    event('old', 'joined', NOON - 3 * DAY),
    event('removed', 'joined', NOON - 2 * HOUR),
    event('one', 'joined', NOON - HOUR),
    event('two', 'joined', NOON - HOUR + 1),
    event('own', 'merged', NOON),
    event('of left', 'left', NOON),
    event('by itself', 'other', NOON),
  ]);
  await store.addAliases(project.id, merged, [aliasFor(project, 'merged', { weak: true })], NOON);
  await store.mergeErrors(project.id, [merged, (await errorOf(store, project, 'merged')).id]);
  await store.endAlias(project.id, aliasFor(project, 'left').groupHash);

  // Known to the tracker: one by its time, one by a mark, one whose event was removed, and one that has not come yet.
  await store.setBothReceiveUntil(source.id, NOON - 2 * DAY);
  await store.markKnownThere(
    project.id,
    ['one', 'to come'].map((name) => hexId(`${project.id} ${name}`)),
    NOON,
  );
  await pruneAll(store, { ...KEEP, receivedBefore: NOON - HOUR + 1 });
  await store.setBase(project.id, joined, {
    ...counted(50, { knownThere: await store.knownThere(project.id, joined, NOON), users: 9, at: NOON + 1 }),
    hours: [[(NOON - 2 * HOUR) / 1000, 6]],
    days: [[(NOON - (NOON % DAY) - DAY) / 1000, 30]],
  });
  const payload = makeEvent(project, 'body', {}).payload as Uint8Array;
  await store.addImportedEvents(project.id, joined, [{ eventId: hexId('imported'), at: NOON - DAY, payload }], NOON);
  await store.putNotes(project.id, joined, [
    { externalId: 'n1', author: 'Ada', at: NOON - DAY, text: 'seen in Lisbon' },
    { externalId: 'n2', author: 'Bob', at: NOON, text: 'again' },
  ]);
  await store.putReleases(project.id, [{ release: 'app@1', firstSeen: NOON - DAY, lastSeen: NOON }]);
  await store.saveImportState(`${project.id}/run`, '{"stage":"errors"}');
  await store.saveImportState('command', '{"stage":"keys"}');
  await store.saveForward(makeForward(project.id));
  await store.saveForwardState(makeForwardState(project.id));
  return { project, joined, merged, left };
}

/** What people and a further pass read of the imported history. */
async function readAll(store: Store, { project, joined, merged, left }: Filled) {
  const sources = await store.listImportSources(null);
  const ids = [joined, merged, left];
  const events = async (id: string) => {
    const items = (await store.listEvents(project.id, id, 100, null))?.items ?? [];
    return Promise.all(items.map(async ({ eventId }) => (await store.event(project.id, id, eventId))?.event.message));
  };
  return {
    sources,
    states: [await store.listImportStates(''), await store.importState(`${project.id}/run`)],
    errors: (await store.listErrors(project.id, { ...EVERYTHING, sort: 'frequency' }, NOON)).items,
    details: await Promise.all(ids.map((id) => store.errorById(project.id, id, NOON))),
    events: await Promise.all(ids.map(events)),
    origins: await Promise.all(ids.map((id) => store.importedOrigin(project.id, id))),
    known: await Promise.all(ids.map((id) => store.knownThere(project.id, id, NOON))),
    found: await Promise.all(['1', 'shop-1', 'SHOP-2'].map((name) => store.findByExternalId(null, name))),
    missing: await Promise.all(sources.map(({ id }) => store.missingIssues(id, NOON + 1))),
    unmerged: await store.unmergedAliases(project.id),
    toLookUp: await store.errorsToLookUp(project.id, null, 10),
    releases: (await store.listReleases(project.id, { environment: null, limit: 10, cursor: null }, NOON)).items.map(
      ({ release, firstSeen, lastSeen }) => ({ release, firstSeen, lastSeen }),
    ),
    forwards: [await store.listForwards(), await store.listForwardStates(null)],
  };
}

/** Further events, marks and passes, which the numbers of the copy decide about. */
async function goOn(store: Store, filled: Filled): Promise<void> {
  const { project, joined } = filled;
  const [source] = await store.listImportSources(project.id);
  assert.ok(source !== undefined);
  // Before the batch, because a gateway of a shared store takes numbers in blocks.
  assert.ok((await putImported(store, project.id, makeIssue(source, '9'), NOON + 2)).created);
  const journal = new TestJournal(store, 'that goes on');
  const result = await journal.apply([
    makeEvent(project, 'next', { group: 'joined', user: 'user of two', receivedAt: NOON + HOUR, at: NOON + HOUR }),
    makeEvent(project, 'to come', { group: 'joined', user: 'new', receivedAt: NOON + HOUR, at: NOON + HOUR }),
    makeEvent(project, 'two', { group: 'joined' }),
    makeEvent(project, 'left again', { group: 'left', receivedAt: NOON + HOUR }),
  ]);
  assert.deepEqual(result, { kind: 'applied', stored: 3, duplicates: 1, newErrors: 1 });
  // A mark of an event that has lost its payload still counts, and a repeated one does not.
  await store.markKnownThere(
    project.id,
    ['old', 'removed', 'one', 'two'].map((name) => hexId(`${project.id} ${name}`)),
    NOON,
  );
  const again = await store.putImportedError(project.id, makeIssue(source, '1'), NOON + 2);
  assert.deepEqual(again, { errorId: joined, created: false });
  const knownThere = await store.knownThere(project.id, joined, NOON);
  const base = counted(60, { knownThere, at: NOON + 2 * HOUR });
  assert.equal(await store.setBase(project.id, joined, base), 'set');
  assert.equal((await makeSource(store, project, 'third')).id, 3, 'numbers of sources go on');
  const newest = (await errorOf(store, project, 'left')).id;
  assert.ok(Number(newest) > RESERVED, `${newest} was the number of an issue`);
}

describeOnMongo('copying imported history to MongoDB', function (uri) {
  this.timeout(180_000);
  const databases = new TestDatabases(uri);
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'errgate-copy-'));
  });

  afterEach(async () => {
    await databases.dropAll();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function inStore<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore({ url, dataDir });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  async function copyTo(target: string) {
    const copy = await openCopy(sqliteFile('sqlite:', dataDir), target);
    try {
      const counts = await copyStore({ source: copy.source, target: copy.target, sourceId: 'source' });
      for (const { part, source, target: copied } of counts) assert.equal(copied, source, part);
      return counts;
    } finally {
      await copy.source.close();
      await copy.target.close();
    }
  }

  it('answers the same, joins the next event of an imported error, and counts on in both stores alike', async () => {
    const [filled, before] = await inStore('sqlite:', async (store) => {
      const made = await fill(store);
      return [made, await readAll(store, made)] as const;
    });
    assert.deepEqual(
      before.details.map((detail) => detail?.count),
      // 50 of the tracker less two known there, and four own ones; seven and one; five and one.
      [52, 8, 6],
    );

    const target = databases.create();
    const counts = await copyTo(target);
    const copied = Object.fromEntries(counts.map(({ part, source }) => [part, source]));
    const { importSources, importStates, importedErrors, groupAliases, knownThere, importedEvents, errorNotes } =
      copied;
    assert.deepEqual(
      { importSources, importStates, importedErrors, groupAliases, knownThere, importedEvents, errorNotes },
      {
        importSources: 2,
        importStates: 2,
        importedErrors: 3,
        groupAliases: 3,
        knownThere: 2,
        importedEvents: 1,
        errorNotes: 2,
      },
    );

    await inStore(target, async (store) => assert.deepEqual(await readAll(store, filled), before));
    const results = [];
    for (const url of ['sqlite:', target]) {
      results.push(
        await inStore(url, async (store) => {
          await goOn(store, filled);
          return readAll(store, filled);
        }),
      );
    }
    const [embedded, shared] = results;
    assert.deepEqual(shared, embedded);
    const [detail] = embedded?.details ?? [];
    // 60 of the tracker less five known there, and six own ones.
    // An event after the resolution there reopens the error.
    assert.deepEqual([detail?.count, detail?.status], [61, 'unresolved']);
  });

  it('counts mapped events of later builds where those of the first build were counted', async () => {
    const mapped = (project: Project, name: string, sent: string) => {
      const { groupHash, groupingVersion } = makeEvent(project, '', { group: sent });
      return makeEvent(project, name, { group: 'original', sentGroupHashes: [{ groupHash, groupingVersion }] });
    };
    const project = await inStore('sqlite:', async (store) => {
      const made = await makeProject(store, 'acme/shop');
      const journal = new TestJournal(store);
      await journal.apply([makeEvent(made, 'before', { group: 'first build' })]);
      await journal.apply([mapped(made, 'first', 'first build')]);
      return made;
    });
    const target = databases.create();
    const counts = await copyTo(target);
    assert.equal(counts.find(({ part }) => part === 'groupAliases')?.target, 1);
    for (const url of ['sqlite:', target]) {
      await inStore(url, async (store) => {
        const journal = new TestJournal(store, 'that goes on');
        await journal.apply([mapped(project, 'next', 'next build')]);
        // An event of the same key that was not mapped is found by the mark of the project.
        await journal.apply([makeEvent(project, 'source', { group: 'original' })]);
        const errors = await store.listErrors(project.id, EVERYTHING, NOON);
        assert.deepEqual(errors.items.map(({ count }) => count), [4]); // prettier-ignore
      });
    }
  });

  it('goes on with the import of a tracker, whose second run changes nothing and joins every next event', async () => {
    const source = await startFakeSource('sentry');
    try {
      source.world.addToken(IMPORT_TOKEN);
      const shop = source.world.addProject('shop', { id: '4711' });
      const bodies = ['a', 'b', 'c', 'd'].map(bodyOf);
      for (const [index, body] of bodies.entries()) {
        source.world.addIssue(shop, { bodies: [{ body, at: Date.now() - DAY }], count: 100 * index + 1 });
      }
      const projectOf = async (store: Store): Promise<Project> => {
        const found = await store.projectByPath('acme/shop');
        assert.ok(found !== null);
        return found.project;
      };
      const pictured = async (store: Store) => pictureOf(store, await projectOf(store));
      const before = await inStore('sqlite:', async (store) => {
        const { state, imported } = await importInto(store, source);
        assert.deepEqual([state, imported], ['done', 4]);
        return pictured(store);
      });
      const target = databases.create();
      await copyTo(target);
      await inStore(target, async (store) => {
        assert.deepEqual(await pictured(store), before);
        const { state, imported, updated } = await importInto(store, source);
        assert.deepEqual([state, imported, updated], ['done', 0, 4]);
        assert.deepEqual(await pictured(store), before);
        for (const [index, body] of bodies.entries()) {
          await liveEvent(store, await projectOf(store), body, hexId(`live ${index}`));
        }
        assert.deepEqual(
          (await pictured(store)).map(({ issue, count }) => [issue, count]),
          before.map(({ issue, count }) => [issue, count + 1]),
        );
      });
      source.assertClean();
    } finally {
      await source.close();
    }
  });
});

/** Body of an SDK whose stack names its error. */
function bodyOf(name: string): SdkBody {
  const frame = { filename: `app/${name}.py`, module: `app.${name}`, function: `run_${name}`, in_app: true, lineno: 3 };
  const exception = { type: 'ValueError', value: `broken ${name}`, stacktrace: { frames: [frame] } };
  return { platform: 'python', level: 'error', exception: { values: [exception] } };
}
