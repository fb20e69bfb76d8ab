import assert from 'node:assert/strict';
import type { DigestedEvent } from '../../src/domain/ingest/digest.ts';
import type { NewAlias } from '../../src/domain/imports/import.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Grouper } from '../../src/integrated/digest/digest-deps.ts';
import { groupV1 } from '../../src/integrated/digest/group/v1/group.ts';
import { groupV2 } from '../../src/integrated/digest/group/v2/group.ts';
import { encodeText } from '../../src/lib/bodies/payload-codec.ts';
import type { RawEvent } from '../grouping/pair.ts';
import { go } from '../grouping/shapes/go.ts';
import { message } from '../grouping/shapes/message.ts';
import { importIssue, makeIssue, makeSource } from '../support/import-data.ts';
import { hexId, listAll, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { digester, record } from '../unit/integrated/digest/digest-support.ts';

const DIGESTS = { 1: digester({ group: groupV1 }), 2: digester({ group: groupV2 satisfies Grouper }) };

/** Two faults that version 1 calls one error, and version 2 two. */
const inGo = (value: string): RawEvent =>
  go({ type: '*errors.errorString', value, stack: 'main.report /build/report.go:9\nmain.main /build/main.go:20' });
const DISK = inGo('disk is full');
const DENIED = inGo('permission denied');
const BROKEN = inGo('broken pipe');
/** A fault that version 1 calls an error for each id, and version 2 one. */
const customer = (id: string): RawEvent => message(`No such customer: ${id}`);
const ANN = customer('cus_NffrFeUfNV2Hib');
const BOB = customer('cus_QzhTrLPkLm9XbK');
const EVE = customer('cus_WmKxZtRvHPqL4b');
/** An error that both versions give the same key. */
const PLAIN = message('Cart is empty');

/** The upgrade from version 1 of the grouping keys to version 2, with the keys of both. */
export function groupingUpgradeContract(harness: () => StoreHarness): void {
  let sent = 0;

  function digestedBy(version: 1 | 2, project: Project, body: RawEvent): DigestedEvent {
    sent += 1;
    const eventId = hexId(`upgrade ${project.id} ${sent}`);
    const source = record(JSON.stringify(body), { projectId: project.id, eventId, receivedAt: NOON + sent });
    const { event } = DIGESTS[version](source);
    assert.ok(event !== null);
    return { ...event, payload: encodeText(event.payload) };
  }

  async function setUp() {
    const { store } = harness();
    const project = await makeProject(store);
    /** Applies each event in a batch of its own, as an idle gateway of that version does. */
    const send = async (version: 1 | 2, ...bodies: RawEvent[]) => {
      const journal = new TestJournal(store);
      const events = bodies.map((body) => digestedBy(version, project, body));
      for (const event of events) await journal.apply([event]);
      return events;
    };
    /** Applies all events in one batch. */
    const together = async (version: 1 | 2, ...bodies: RawEvent[]) =>
      new TestJournal(store).apply(bodies.map((body) => digestedBy(version, project, body)));
    const counts = (from: Store = store) => countsOf(from, project);
    return { store, project, send, together, counts };
  }

  async function countsOf(store: Store, project: Project): Promise<number[]> {
    return (await listAll(store, project)).map(({ count }) => count).sort((a, b) => b - a);
  }

  async function only(store: Store, project: Project, text: string) {
    const [found, ...more] = await listAll(store, project, { search: text });
    assert.ok(found !== undefined && more.length === 0, text);
    return found;
  }

  describe('upgrade of the grouping version', () => {
    it('keeps an error together that version 2 would separate, and begins no second one', async () => {
      const { store, project, send, together, counts } = await setUp();
      await send(1, DISK, DENIED, PLAIN);
      const [before] = await listAll(store, project, { search: 'permission' });
      await send(2, DISK, DENIED, BROKEN, PLAIN);
      assert.deepEqual(await counts(), [5, 2]);
      const result = await together(2, BROKEN, DISK, PLAIN);
      assert.deepEqual(result, { kind: 'applied', stored: 3, duplicates: 0, newErrors: 0 });
      assert.deepEqual(await counts(await harness().other()), [7, 3]);
      assert.equal((await only(store, project, 'disk')).id, before?.id);
    });

    it('separates what begins after it', async () => {
      const { together, send, counts } = await setUp();
      await together(2, DISK, DENIED, DISK);
      await send(2, DENIED, BROKEN, inGo(''));
      assert.deepEqual(await counts(), [2, 2, 1, 1]);
    });

    it('leaves each error that version 2 would join what it collects, and joins what begins after it', async () => {
      const { send, together, counts } = await setUp();
      await send(1, ANN, BOB);
      await send(2, ANN, BOB, EVE);
      assert.deepEqual(await counts(), [2, 2, 1]);
      // The error of version 2 takes nothing away from the older ones.
      await send(2, ANN, BOB, ANN, customer('cus_ZkTnVrHsYwQ7d'));
      await together(2, BOB, ANN, EVE);
      assert.deepEqual(await counts(), [5, 4, 3]);
    });

    it('lets an older gateway go on beside a newer one', async () => {
      const { send, counts } = await setUp();
      await send(2, DISK);
      await send(1, DISK);
      await send(2, DISK, DISK);
      await send(1, DISK, PLAIN);
      await send(2, PLAIN);
      // The newer gateway keeps its own error, the older one has begun another; a merge joins them.
      assert.deepEqual(await counts(), [3, 2, 2]);
    });

    it('counts a batch once when it is applied again with the keys of both versions', async () => {
      const { store, project, send, counts } = await setUp();
      const events = [...(await send(1, DISK, ANN)), ...(await send(2, DENIED, BOB))];
      const again = await new TestJournal(store, 'again').apply(events);
      assert.deepEqual(again, { kind: 'applied', stored: 0, duplicates: 4, newErrors: 0 });
      // Records that version 1 has read already, and that version 2 reads again after the upgrade.
      const retaken = events.map(({ eventId }, at) => ({
        ...digestedBy(2, project, [DISK, ANN, DENIED, BOB][at] ?? PLAIN),
        eventId,
      }));
      const result = await new TestJournal(store, 'retaken').apply(retaken);
      assert.deepEqual(result, { kind: 'applied', stored: 0, duplicates: 4, newErrors: 0 });
      assert.deepEqual(await counts(), [2, 1, 1]);
    });

    it('keeps merged errors merged, and their parts apart once they are separated', async () => {
      const { store, project, send, counts } = await setUp();
      await send(1, ANN, BOB, DISK);
      const ids = [await only(store, project, 'cus_NffrFeUfNV2Hib'), await only(store, project, 'cus_QzhTrLPkLm9XbK')];
      const root = await store.mergeErrors(project.id, ids.map(({ id }) => id)); // prettier-ignore
      await send(2, ANN, BOB, BOB, DISK);
      await store.rollUpMerged();
      assert.deepEqual(await counts(), [5, 2]);
      await store.unmergeErrors(project.id, root ?? '', null);
      assert.deepEqual(await counts(), [3, 2, 2]);
      await send(2, BOB, ANN);
      assert.deepEqual(await counts(), [4, 3, 2]);
    });

    it('keeps the status of an error, and reopens a resolved one', async () => {
      const { store, project, send } = await setUp();
      await send(1, DISK, ANN);
      const [disk, ann] = [await only(store, project, 'disk'), await only(store, project, 'cus')];
      await store.setErrorStatus(project.id, ann.id, 'ignored', NOON + sent);
      await store.setErrorStatus(project.id, disk.id, 'resolved', NOON + sent);
      await send(2, DENIED, ANN);
      assert.equal((await store.errorById(project.id, disk.id, NOON))?.status, 'unresolved');
      assert.equal((await store.errorById(project.id, ann.id, NOON))?.status, 'ignored');
    });

    it('drops what was dropped before, until it is taken again', async () => {
      const { store, project, send, counts } = await setUp();
      await send(1, DISK, ANN, PLAIN);
      const found = [await only(store, project, 'disk'), await only(store, project, 'customer')];
      await store.deleteErrors(project.id, found.map(({ id }) => id), true, null, NOON); // prettier-ignore
      await send(2, DISK, DENIED, ANN, PLAIN);
      assert.deepEqual(await counts(), [2]);
      // Another customer was not dropped, and has an error of version 2 from now on.
      await send(2, BOB, BOB);
      assert.deepEqual(await counts(), [2, 2]);
      for (const { id } of await store.discardedGroups(project.id)) await store.restoreDiscarded(project.id, id);
      await send(2, DISK, DENIED);
      assert.deepEqual(await counts(), [2, 2, 1, 1]);
    });

    it('does not drop a known error with a later one that shares its former key', async () => {
      const { store, project, send, counts } = await setUp();
      await send(2, DISK);
      await send(1, DENIED);
      await store.deleteErrors(project.id, [(await only(store, project, 'permission')).id], true, null, NOON);
      await send(2, DISK, DENIED);
      assert.deepEqual(await counts(), [2]);
    });

    it('begins errors by version 2 after the old one was deleted', async () => {
      const { store, project, send, counts } = await setUp();
      await send(1, DISK, DENIED);
      const [old] = await listAll(store, project);
      await store.deleteErrors(project.id, [old?.id ?? ''], false, null, NOON);
      await send(2, DISK, DENIED, DISK);
      assert.deepEqual(await counts(), [2, 1]);
    });

    it('counts under imported errors whose aliases are keys of version 1', async () => {
      const { store, project, send, counts } = await setUp();
      const source = await makeSource(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10);
      const [disk, ann] = [digestedBy(1, project, DISK), digestedBy(1, project, ANN)];
      const aliases = [disk, ann].map(({ groupHash, groupingVersion }) => ({
        ...{ groupHash, groupingVersion, origin: 'group_key' as const, weak: false },
      }));
      await store.addAliases(project.id, errorId, aliases, NOON);
      await send(2, DISK, DENIED, ANN, BOB, PLAIN);
      assert.deepEqual(await counts(), [13, 1, 1]);
      // The error that BOB began has the key of version 2 that ANN has too: the imported one is older.
      await send(2, ANN, BOB);
      assert.deepEqual(await counts(), [14, 2, 1]);
    });

    it('joins an issue imported after it with the old error, and leads only its new keys to it', async () => {
      const { store, project, send, counts } = await setUp();
      await send(1, DISK);
      const source = await makeSource(store, project);
      const aliasesOf = (body: RawEvent): NewAlias[] => {
        const { groupHash, groupingVersion, formerGroupHashes = [] } = digestedBy(2, project, body);
        const alias = { origin: 'group_key', weak: false } as const;
        const former = formerGroupHashes.map((each) => ({ ...each, ...alias, isFormer: true as const }));
        return [{ groupHash, groupingVersion, ...alias }, ...former];
      };
      const disk = await importIssue(store, project, makeIssue(source, '1'), 10);
      const [old] = await listAll(store, project, { search: 'disk' });
      const found = await store.addAliases(project.id, disk, aliasesOf(DISK), NOON);
      assert.deepEqual(found, [{ kind: 'added' }, { kind: 'own_error', errorId: old?.id }]);
      await store.mergeErrors(project.id, [disk, old?.id ?? '']);
      const ann = await importIssue(store, project, makeIssue(source, '2'), 20);
      assert.deepEqual(await store.addAliases(project.id, ann, aliasesOf(ANN), NOON), [{ kind: 'added' }, { kind: 'absent' }]); // prettier-ignore
      await send(2, DISK, DENIED, ANN, BOB);
      await store.rollUpMerged();
      assert.deepEqual(await counts(), [22, 13]);
    });
  });
}
