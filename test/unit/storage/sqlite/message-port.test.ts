import assert from 'node:assert/strict';
import { encodePayload } from '../../../support/encode-payload.ts';
import {
  errorOf,
  hexId,
  makeEvent,
  makeProject,
  NOON,
  normalisedEvent,
  TestJournal,
} from '../../../support/store-data.ts';
import { BatchJournal, report } from '../../../support/session-data.ts';
import { makeRemoteSqlite, type StoreHarness } from '../../../support/store-harness.ts';

const ADA = { username: 'ada', name: 'Ada', admin: false, passwordHash: 'scrypt$1' };

/** What the service's threads say to each other: the store's contract itself is run without a port between them. */
describe('a SQLite store that writes through a message port', () => {
  let harness: StoreHarness;
  beforeEach(async () => {
    harness = await makeRemoteSqlite();
  });
  afterEach(() => harness.dispose());

  it('gives the answers of writes back whole, and reads what was written at once', async () => {
    const { store } = harness;
    const project = await store.createProject({ path: 'Group/App', name: 'Ä', visibility: 'public' });
    assert.deepEqual(await store.projectById(project.id), project);
    assert.deepEqual(await store.projectByPath('group/app'), { project, moved: false });
    const settings = await store.saveSettings(project.id, { active: true, sealedToken: null });
    assert.deepEqual(await store.settings(project.id), settings);
    const key = await store.createKey(project.id, 'glet_1');
    assert.deepEqual(await store.listKeys(project.id), [key]);
    const user = await store.createUser(ADA);
    const hash = hexId('token', 64);
    const token = await store.createToken({ userId: user.id, name: 'ci', hash, scopes: ['api'], expiresAt: null });
    assert.deepEqual(await store.tokenByHash(hash), token);
  });

  it('distinguishes nothing, true and false in the answers of writes', async () => {
    const { store } = harness;
    const project = await makeProject(store);
    assert.equal(await store.updateProject(project.id + 1, { name: 'x' }), null);
    await store.setMeta('a', 'b');
    assert.equal(await store.initMeta('a', 'c'), 'b');
    assert.equal(await store.acquireLease('work', 'one', 60_000), true);
    assert.equal(await store.acquireLease('work', 'two', 60_000), false);
  });

  it('takes batches with everything in them, byte by byte, and their repetition', async () => {
    const { store } = harness;
    const project = await makeProject(store);
    const journal = new BatchJournal(store);
    const content = { ...normalisedEvent('f'.repeat(32), '\u0000 "ü" 😀'), extra: { deep: [null, { a: 1.5 }] } };
    const event = makeEvent(project, 'a', { eventId: content.event_id, user: 'ada', payload: encodePayload(content) });
    const dropped = {
      projectId: project.id,
      keyId: 1,
      category: 'error',
      outcome: 'invalid',
      reason: 'broken_json',
      at: NOON,
      quantity: 3,
    } as const;
    const batch = { events: [event], outcomes: [dropped], reports: [report(project, event.eventId, 'it broke')] };
    assert.deepEqual(await journal.give(batch), { kind: 'applied', stored: 1, duplicates: 0, newErrors: 1 });
    assert.deepEqual(await journal.again(batch), { kind: 'already_applied' });
    assert.deepEqual(await store.completeBatch(journal.batchId(1)), { kind: 'already_applied' });
    const { id } = await errorOf(store, project);
    const read = await store.event(project.id, id, event.eventId);
    assert.deepEqual(read?.event, content);
    assert.deepEqual(
      read.userReports?.map(({ comments }) => comments),
      ['it broke'],
    );
    const outcomes = await store.listOutcomes(project.id, 0, NOON * 2);
    assert.ok(outcomes.some(({ reason, quantity }) => reason === 'broken_json' && quantity === 3));
  });

  it('changes, merges and prunes what batches brought', async () => {
    const { store } = harness;
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    await journal.apply([makeEvent(project, 'a', { group: 'a' }), makeEvent(project, 'b', { group: 'b' })]);
    const [a, b] = [await errorOf(store, project, 'a'), await errorOf(store, project, 'b')];
    assert.equal(await store.setErrorStatus(project.id, b.id, 'ignored', NOON), true);
    const root = await store.mergeErrors(project.id, [a.id, b.id]);
    await journal.apply([makeEvent(project, 'c', { group: 'b' })]);
    assert.equal(await store.rollUpMerged(), 1);
    assert.equal((await store.errorById(project.id, a.id, NOON))?.count, 3);
    const separated = (await store.unmergeErrors(project.id, root ?? '', null))?.separated;
    assert.deepEqual(separated?.length, 1);
    const limits = { receivedBefore: NOON + 1, maxEventsPerError: null, keysReceivedBefore: 0 };
    const { events, bytes } = await store.prune({ ...limits, hoursBefore: 0, outcomesBefore: 0 });
    assert.equal(events, 3);
    assert.ok(bytes > 0);
    assert.equal(await store.deleteProject(project.id), true);
  });

  it('reports why a write was refused: code, message and details', async () => {
    const { store } = harness;
    const project = await makeProject(store, 'group/app');
    await assert.rejects(makeProject(store, 'GROUP/app'), {
      name: 'AppError',
      code: 'conflict',
      message: /group\/app/i,
    });
    await assert.rejects(store.saveSettings(project.id + 1, { active: true }), { code: 'project_not_found' });
    await assert.rejects(store.mergeErrors(project.id, ['1']), { name: 'AppError', code: 'bad_request' });
    await store.createUser(ADA);
    await assert.rejects(store.createUser({ ...ADA, username: 'ADA' }), { name: 'AppError', code: 'conflict' });
    // What the database itself refuses has no text of its own for a client.
    const broken = { ...makeEvent(project, 'x'), payload: 'no bytes' as unknown as Uint8Array };
    await assert.rejects(new TestJournal(store).apply([broken]), { name: 'AppError', code: 'internal' });
    assert.equal((await store.stats()).events, 0, 'nothing of it was stored');
  });

  it('waits for nothing where a write cannot be sent, and goes on', async () => {
    const { store } = harness;
    const unsendable = (() => 'no data') as unknown as string;
    await assert.rejects(store.setMeta('a', unsendable), { name: 'DataCloneError' });
    await store.setMeta('a', 'b');
    assert.equal(await store.getMeta('a'), 'b');
  });

  it('gives each of many writes at once its own answer, in their order', async () => {
    const { store } = harness;
    const project = await makeProject(store);
    const names = Array.from({ length: 50 }, (_, index) => `key ${index}`);
    const keys = await Promise.all(names.map((name) => store.createKey(project.id, name)));
    assert.deepEqual(
      keys.map(({ publicKey }) => publicKey),
      names,
    );
    const ids = keys.map(({ id }) => id);
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => a - b),
    );
  });

  it('is unavailable once closed; what was asked for before is answered', async () => {
    const { store } = harness;
    const project = await makeProject(store);
    const pending = store.createKey(project.id, 'late').then(
      () => 'written',
      (error: unknown) => (error as { code?: string }).code,
    );
    await store.close();
    await store.close();
    assert.ok(['written', 'store_unavailable'].includes((await pending) ?? ''));
    await assert.rejects(store.ping(), { code: 'store_unavailable' });
    await assert.rejects(store.listProjects(), { code: 'store_unavailable' });
    await assert.rejects(store.setMeta('a', 'b'), { name: 'AppError', code: 'store_unavailable' });
  });
});
