import assert from 'node:assert/strict';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { ImportSummary } from '../../../src/import/import-run.ts';
import { type FakeSource, startFakeSource } from '../../support/fake-source/fake-source.ts';
import { hexOf, SOURCE_TRACKERS } from '../../support/fake-source/source-world.ts';
import { bodyOf, eventIdFor } from '../../support/import-shop.ts';
import { IMPORT_TOKEN, importInto, liveEvent, pictureOf } from '../../support/import-world.ts';
import { type RandomFaults, randomFaults, seededRandom } from '../../support/random-faults.ts';
import { describeOnStores, SQLITE, type OpenedStore } from '../../support/test-stores.ts';

/** Random sequences of runs per store. Full size by 60 (`npm run test:full`). */
const SEQUENCES = Number(process.env['ERRGATE_TEST_IMPORT_SEQUENCES'] ?? 3);
/** First seed; another one repeats the sequence of a failure. */
const FIRST_SEED = Number(process.env['ERRGATE_TEST_IMPORT_SEED'] ?? 1);
/** Runs of a sequence under faults, before the clean one. */
const FAULTY_RUNS = 4;
const LETTERS = 'abcdef'.split('');
/** Age of the newest event in milliseconds: a younger one may be followed by others that are not shown yet. */
const SEEN_AGO_MS = 600_000;
/** Maximum requests of a run without changes: pages of lists, what tells the kind, and two for each recent issue. */
const MAX_UNCHANGED = 22 + 2 * LETTERS.length;
/** Milliseconds for which clients wait in faulty runs. */
const LIMITS = { responseTimeoutMs: 400, totalTimeoutMs: 1500 };

/** Partner with everything that an import brings along. */
async function makePartner(seed: number): Promise<FakeSource> {
  const tracker = SOURCE_TRACKERS[seed % SOURCE_TRACKERS.length]!;
  const source = await startFakeSource(tracker, { maxInFlight: 50 });
  const { world } = source;
  world.addToken(IMPORT_TOKEN);
  const shop = world.addProject('shop', { keys: 0 });
  for (const key of [1, 2]) world.addKey(shop, { publicKey: hexOf(`seed ${seed} key ${key}`) });
  world.members.push({ email: 'ada@shop.example', name: 'Ada', role: 'owner' });
  shop.rules.push({ name: 'Loud', condition: 'often', action: 'mail' });
  for (const version of ['1.0', '2.0']) shop.releases.push({ version, firstSeen: Date.now(), lastSeen: Date.now() });
  for (const [index, name] of LETTERS.entries()) {
    const lastSeen = Date.now() - SEEN_AGO_MS;
    const bodies = [0, 1, 2].map((one) => ({
      body: bodyOf(name, { event_id: eventIdFor(`${seed}-${name}-${one}`) }),
      at: lastSeen - (2 - one) * 1000,
      hash: hexOf(`${name} ${one % 2}`),
    }));
    const issue = world.addIssue(shop, {
      bodies,
      count: 10 + index,
      firstSeen: lastSeen - 5000,
      lastSeen,
      status: index % 3 === 0 ? 'resolved' : 'unresolved',
      activity: index % 3 === 0 ? [{ type: 'set_resolved', at: Date.now() - 5000 }] : [],
    });
    if (index % 2 === 0) issue.notes.push({ id: `${index}`, author: 'ada', text: 'seen', at: Date.now() - 9000 });
    if (index % 4 === 0) {
      const eventId = issue.events[0]!.id;
      issue.reports.push({
        id: `${index}`,
        eventId,
        name: 'Bo',
        email: 'bo@x.example',
        comments: 'no',
        at: Date.now(),
      });
    }
  }
  return source;
}

/** All that came along, one text for each thing. */
async function thingsIn(store: Store, path: string): Promise<Map<string, string>> {
  const things = new Map<string, string>();
  const found = await store.projectByPath(path);
  if (found === null) return things;
  const { project } = found;
  for (const { publicKey, active } of await store.listKeys(project.id)) things.set(`key ${publicKey}`, String(active));
  for (const release of await store.releaseNames(project.id)) things.set(`release ${release}`, '');
  const errors = await pictureOf(store, project);
  for (const { issue, ...picture } of errors) {
    const notes = (picture['origin'] as { notes?: { externalId: string }[] } | null)?.notes ?? [];
    for (const { externalId } of notes) things.set(`note ${issue} ${externalId}`, '');
    things.set(
      `issue ${issue}`,
      JSON.stringify({ ...picture, origin: { ...(picture['origin'] as object), notes: [] } }),
    );
    for (const id of await eventsOf(store, project, issue)) things.set(`event ${id}`, '');
  }
  return things;
}

async function eventsOf(store: Store, project: Project, issue: string): Promise<string[]> {
  const [error] = await store.findByExternalId(project.id, issue);
  if (error === undefined) return [];
  const page = await store.listEvents(project.id, error.errorId, 100, null);
  return (page?.items ?? []).map(({ eventId }) => eventId);
}

/** Names what a picture lacks, or has in another form. */
function missingIn(now: Map<string, string>, wanted: Map<string, string>): string[] {
  return [...wanted].filter(([name, value]) => now.get(name) !== value).map(([name]) => name);
}

describeOnStores('imports from a partner that fails at random', (kind, suite) => {
  suite.timeout(600_000);
  let opened: OpenedStore;
  before(async () => {
    opened = await kind.open();
  });
  after(() => opened.dispose());

  async function assertSequence(seed: number): Promise<string> {
    const random = seededRandom(seed);
    const source = await makePartner(seed);
    const reference = await SQLITE.open();
    const path = `acme/shop-${seed}`;
    const options = { projects: [{ slug: 'shop', path, projectId: null }] };
    const run = (store: Store, limits?: typeof LIMITS): Promise<ImportSummary> =>
      importInto(store, source, { options, ...(limits === undefined ? {} : { reader: { limits } }) });
    try {
      await run(reference.store);
      const wanted = await thingsIn(reference.store, path);
      assert.ok(wanted.size > LETTERS.length * 4, 'the reference is poor');
      let missing = missingIn(await thingsIn(opened.store, path), wanted);
      const ends: string[] = [];
      let lied = false;
      const check = async (summary: ImportSummary | Error, faults: RandomFaults | null): Promise<void> => {
        const now = missingIn(await thingsIn(opened.store, path), wanted);
        const told = summary instanceof Error ? summary.message : `${summary.state}: ${summary.message}`;
        const where = `${told}\nmissing: ${now.slice(0, 5).join(', ')}`;
        assert.deepEqual(
          now.filter((one) => !missing.includes(one)),
          [],
          `something was lost: ${where}`,
        );
        missing = now;
        lied ||= (faults?.lies ?? 0) > 0;
        const isDone = !(summary instanceof Error) && summary.state === 'done';
        ends.push(isDone ? 'done' : 'left');
        if (isDone) {
          assert.deepEqual([summary.complete, summary.left], [true, 0], told);
          if (!lied) assert.deepEqual(now, [], `done too early: ${where}`);
        } else {
          // A loaded machine may answer late as well.
          const isLate = faults !== null && told.includes('in time');
          assert.ok((faults?.seen ?? 0) > 0 || isLate, `not done without a fault: ${told}`);
          if (!(summary instanceof Error)) {
            assert.equal(summary.complete, false);
            assert.match(summary.message, /\d+ left: |run it again|no project was imported/);
          }
        }
      };
      for (let turn = 0; turn < FAULTY_RUNS; turn += 1) {
        const faults = randomFaults(random, seed % 2 === 0);
        source.choose = faults.next;
        const summary = await run(opened.store, LIMITS).catch((error: unknown) => error as Error);
        source.choose = null;
        await check(summary, faults);
      }
      lied = false;
      const clean = await run(opened.store);
      await check(clean, null);
      assert.deepEqual(missing, [], 'a clean run repairs everything');
      await assertRests(run, source, path);
      await assertJoins(source, path);
      return ends.join(' ');
    } finally {
      await reference.dispose();
      await source.close();
    }
  }

  /** A further run has nothing to do; after a change of one issue it reads this one. */
  async function assertRests(
    run: (store: Store) => Promise<ImportSummary>,
    source: FakeSource,
    path: string,
  ): Promise<void> {
    const before = await thingsIn(opened.store, path);
    source.requests.length = 0;
    assert.equal((await run(opened.store)).state, 'done');
    const asked = [...source.requests];
    assert.ok(asked.length <= MAX_UNCHANGED, `${asked.length} requests without a change:\n${asked.join('\n')}`);
    assert.deepEqual(
      missingIn(await thingsIn(opened.store, path), before),
      [],
      'a run without changes changes something',
    );
    const shop = source.world.projects[0]!;
    const id = eventIdFor(`${path} once more`);
    const [changed] = shop.issues.values();
    const at = Date.now() - SEEN_AGO_MS / 2;
    const body = bodyOf(LETTERS[0]!, { event_id: id });
    changed!.events.push({ id, at, receivedAt: at, hash: changed!.events[0]!.hash, body });
    shop.known.set(id, changed!);
    Object.assign(changed!, { count: changed!.count + 1, lastSeen: at });
    shop.revision += 1;
    source.requests.length = 0;
    assert.equal((await run(opened.store)).state, 'done');
    assert.ok((await thingsIn(opened.store, path)).has(`event ${id}`), 'the new event was not imported');
    assert.ok(source.requests.length > asked.length && source.requests.length <= asked.length + 12);
  }

  /** The next live event of each issue is counted in its error. */
  async function assertJoins(source: FakeSource, path: string): Promise<void> {
    const found = await opened.store.projectByPath(path);
    assert.ok(found);
    for (const name of LETTERS) await liveEvent(opened.store, found.project, bodyOf(name), hexOf(`${path} ${name}`));
    await opened.store.rollUpMerged();
    const errors = await pictureOf(opened.store, found.project);
    const counts = errors.map(({ issue, count }) => [issue, count]).sort();
    const there = [...source.world.projects[0]!.issues.values()].map(({ id, count }) => [id, count + 1]).sort();
    assert.deepEqual(counts, there);
  }

  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEQUENCES; seed += 1) {
    it(`says done exactly when nothing is left (seed ${seed})`, async function () {
      const ends = await assertSequence(seed).catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      });
      this.test!.title += `: ${ends}`;
    });
  }
});
