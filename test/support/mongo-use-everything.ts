import assert from 'node:assert/strict';
import { ERROR_SORTS } from '../../src/domain/search/error-query.ts';
import { openMongoExport } from '../../src/storage/mongo/export/export-source.ts';
import type { MongoContext } from '../../src/storage/mongo/engine/context.ts';
import { requireAlone } from '../../src/storage/mongo/require-alone.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { setUp } from '../../src/storage/mongo/set-up.ts';
import { blockOf } from '../../src/storage/mongo/documents/block-document.ts';
import { eventKey } from '../../src/storage/mongo/documents/document-keys.ts';
import { blockContext } from '../../src/storage/mongo/blocks/block-context.ts';
import { unpackSparse } from '../../src/storage/mongo/batch/block-removal.ts';
import type { Keyed } from '../../src/storage/mongo/batch/known/key-filters.ts';
import { removePayloads } from '../../src/storage/mongo/blocks/payload-removal.ts';
import { fillReleases } from './mongo-fill-releases.ts';
import { fillAlerts, useAlerts } from './mongo-use-alerts.ts';
import { fillArtifacts, useArtifacts } from './mongo-use-artifacts.ts';
import { fillAudit, useAudit } from './mongo-use-audit.ts';
import { fillImports, useImports } from './mongo-use-imports.ts';
import { fillLinks, useLinks } from './mongo-use-links.ts';
import { useLists } from './mongo-use-lists.ts';
import { useOverviews } from './mongo-use-overviews.ts';
import { useReleases } from './mongo-use-releases.ts';
import {
  DAY,
  errorOf,
  EVERYTHING,
  hexId,
  makeEvent,
  makeForward,
  makeForwardState,
  NOON,
  TestJournal,
} from './store-data.ts';
import { fillIdentities } from './mongo-use-identities.ts';
import { useSecondFactor, useSessions } from './mongo-use-sessions.ts';
import { SMALL_ROWS } from './mongo-engine.ts';

/** Fills the small collections, so that a planner prefers indexes to scans. */
export async function fillSmall({ connection }: MongoContext, projects: readonly number[]): Promise<void> {
  const insert = (name: string, make: (index: number) => object) =>
    connection.db?.collection(name).insertMany(Array.from({ length: SMALL_ROWS }, (_, index) => make(index)));
  const projectOf = (index: number) => projects[index % projects.length];
  await insert('users', (index) => ({ _id: 10_000 + index, lower: `user${index}`, username: `user${index}` }));
  await insert('tokens', (index) => ({ _id: 10_000 + index, userId: 10_000 + index, hash: hexId(`t${index}`, 64) }));
  await insert('secondfactors', (index) => ({ _id: 10_000 + index, sealedSecret: 'v1.x', confirmedAt: 1 }));
  await insert('clientkeys', (index) => ({
    _id: 10_000 + index,
    projectId: 10_000 + index,
    publicKey: `k${index}`,
    active: true,
  }));
  await insert('settings', (index) => ({ _id: 10_000 + index, active: false, integrated: true }));
  await insert('protections', (index) => ({ _id: 10_000 + index, sensitiveFields: ['iban'], scrubIps: true }));
  await insert('forwards', (index) => ({ _id: 10_000 + index, target: 'https://t/1', sealedDsn: 'x', until: null }));
  await insert('forwardstates', (index) => ({ _id: `${10_000 + index}/s`, projectId: 10_000 + index, updatedAt: 1 }));
  await insert('redirects', (index) => ({ _id: `old/p${index}`, projectId: 10_000 + index }));
  await insert('aliases', (index) => ({ _id: 9_000_000 + index, projectId: 10_000 + index }));
  await insert('projectaliases', (index) => ({
    _id: `${10_000 + index}/7`,
    projectId: 10_000 + index,
    alias: '7',
  }));
  await insert('members', (index) => ({
    _id: `${projectOf(index)}/${10_000 + index}`,
    projectId: projectOf(index),
    userId: 10_000 + index,
    accessLevel: 20,
  }));
  await insert('projects', (index) => ({ _id: 10_000 + index, path: `x/${index}`, lower: `x/${index}` }));
  await fillAudit(connection);
  await fillIdentities(connection);
  await fillReleases(connection, projects);
  await fillImports(connection, projects);
  await fillAlerts(connection, projects);
  await fillLinks(connection, projects);
  await fillArtifacts(connection);
}

/**
 * Runs every query of the store at least once, in every form with another plan. `events`: number of events in the
 * store.
 */
export async function useEverything(store: Store, context: MongoContext, events: number): Promise<void> {
  await useAccounts(store);
  await useProjects(store);
  await useSetUp(context);
  await useErrors(store);
  const project = (await store.listProjects()).find(({ path }) => path === 'g/p7');
  assert.ok(project !== undefined);
  await useImports(store, context, project);
  await useAlerts(store, context, project);
  await useLinks(store, project);
  await useArtifacts(store, project);
  await useLists(store, context);
  await useOverviews(store);
  await useMaintenance(store, context, events);
}

/** Reads a page of each part of all projects, and everything of one. */
async function useExport(context: MongoContext, projectId: number): Promise<void> {
  const source = await openMongoExport({ ...context, now: () => NOON + DAY });
  for (const bounds of [
    { projectId: null, since: null },
    { projectId, since: NOON - 1 },
  ]) {
    for await (const _ of source.errors(bounds)) if (bounds.projectId === null) break;
    for await (const _ of source.events(bounds)) if (bounds.projectId === null) break;
    for await (const _ of source.releases(bounds)) if (bounds.projectId === null) break;
    for await (const _ of source.activity(bounds)) if (bounds.projectId === null) break;
    for await (const _ of source.reports(bounds)) if (bounds.projectId === null) break;
  }
}

async function useAccounts(store: Store): Promise<void> {
  const user = await store.createUser({ username: 'ada', name: 'Ada', admin: false, passwordHash: 'x' });
  await store.userById(user.id);
  await store.userByName('ADA');
  await store.passwordHash(user.id);
  await store.setPasswordHash(user.id, 'y');
  await store.setUserBlocked(user.id, false);
  await store.updateUser(user.id, { name: 'Ada L.' });
  await store.listUsers();
  const hash = hexId('token', 64);
  const token = await store.createToken({ userId: user.id, name: 't', hash, scopes: ['api'], expiresAt: null });
  await store.tokenByHash(hash);
  await store.tokenById(token.id);
  await store.listTokens(null);
  await store.listTokens(user.id);
  await store.touchToken(token.id, 5);
  await store.revokeToken(token.id);
  await store.revokeToken(token.id);
  await useSessions(store, user.id);
  await useSecondFactor(store, user.id);
  await useAudit(store, user.id);
}

async function useProjects(store: Store): Promise<void> {
  const project = await store.createProject({ path: 'a/one', name: 'one', visibility: 'private' });
  await store.addAlias(project.id, '77777');
  await store.listAliases(project.id);
  await store.updateProject(project.id, { path: 'a/two', name: 'two' });
  await store.projectByPath('a/one');
  await store.formerPathsIn('a');
  await store.listProjects();
  const user = await store.userByName('ada');
  await store.setMember(project.id, user?.id ?? 0, 40);
  await store.listMembers(project.id);
  await store.accessLevel(project.id, user?.id ?? 0);
  await store.projectsOfUser(user?.id ?? 0);
  await store.removeMember(project.id, user?.id ?? 0);
  await store.settings(project.id);
  await store.saveSettings(project.id, { active: true, sealedToken: 'a' });
  await store.replaceEncryptedToken(project.id, 'a', 'b');
  await store.protection(project.id);
  await store.saveProtection(project.id, { scrubIps: true });
  await store.saveForward(makeForward(project.id));
  await store.forward(project.id);
  await store.listForwards();
  await store.replaceSealedDsn(project.id, 'sealed', 'again');
  await store.saveForwardState(makeForwardState(project.id));
  await store.listForwardStates(project.id);
  await store.listForwardStates(null);
  await store.removeForward(project.id);
  await store.ensureActiveKey(project.id, 'ensured');
  const key = await store.createKey(project.id, 'other');
  await store.keyById(project.id, key.id);
  await store.keyByPublicKey('other');
  await store.listKeys(project.id);
  await store.touchKeys([{ keyId: key.id, usedAt: 5 }]);
  await store.setKeyActive(project.id, key.id, false);
  await store.ingestAccess(null);
  await store.deleteKey(project.id, key.id);
  const events = [makeEvent(project, 'a', { user: 'u' }), makeEvent(project, 'b', { user: 'v' })];
  await new TestJournal(store, 'deleted').apply(events);
  await store.createProject({ path: 'a/three', name: 'three', visibility: 'private' });
  await store.deleteProject(project.id);
}

/** Runs queries that only missing indexes cause. */
async function useSetUp(context: MongoContext): Promise<void> {
  const { errorHours } = context.collections;
  await errorHours.dropIndex('by_day');
  await setUp(context);
}

async function useErrors(store: Store): Promise<void> {
  const projects = await store.listProjects();
  const project = projects.find(({ path }) => path === 'g/p7');
  assert.ok(project !== undefined);
  const { id } = project;
  const journal = new TestJournal(store, 'explained');
  const tags = [['environment', 'production']] as const;
  await journal.apply([makeEvent(project, 'a', { user: 'u', tags }), makeEvent(project, 'b', { group: 'other' })]);
  await journal.apply([makeEvent(project, 'a', { user: 'u' }), makeEvent(project, 'c', { user: 'u', tags })]);
  await store.lastBatch(journal.id);
  const filters = { search: 'error 1', environment: 'production', release: '1', level: 'error' } as const;
  for (const sort of ERROR_SORTS) {
    for (const status of ['unresolved', 'all'] as const) {
      const query = { ...EVERYTHING, sort, status, limit: 10 };
      const first = await store.listErrors(id, query, NOON);
      const second = await store.listErrors(id, { ...query, cursor: first.next }, NOON);
      await store.listErrors(id, { ...query, cursor: second.previous }, NOON);
      await store.listErrors(id, { ...query, ...filters }, NOON);
      await store.listErrors(id, { ...query, firstSeenAfter: 0, firstSeenBefore: NOON * 2 }, NOON);
      await store.listErrors(id, { ...query, lastSeenAfter: 0, lastSeenBefore: NOON * 2, cursor: null }, NOON);
      // Repeats the list now that the ends of its pages are cached.
      await store.listErrors(id, query, NOON);
      await store.listErrors(id, { ...query, cursor: first.next }, NOON);
      await store.listErrors(id, { ...query, cursor: second.previous }, NOON);
    }
  }
  const [error] = (await store.listErrors(id, { ...EVERYTHING, limit: 1 }, NOON)).items;
  assert.ok(error !== undefined);
  await store.errorById(id, error.id, NOON);
  const events = await store.listEvents(id, error.id, 1, null);
  await store.listEvents(id, error.id, 1, events?.next ?? null);
  await store.event(id, error.id, events?.items[0]?.eventId ?? '');
  await store.latestEvent(id, error.id);
  await store.oldestEvent(id, error.id);
  await store.readEvents(id, error.id, 2, null);
  await store.newestUsers(id, error.id);
  await store.reportsOfEvents(id, [events?.items[0]?.eventId ?? ''], 10);
  await store.setErrorStatus(id, error.id, 'resolved', NOON, { details: { inNextRelease: true } });
  const until = { details: { ignoreUntil: NOON } };
  await store.setErrorStatus(id, error.id, 'ignored', NOON, until);
  await store.endMutes(NOON + 1);
  const { id: userId } = await store.createUser({ username: 'triage', name: 'T', admin: false, passwordHash: 'x' });
  await store.setMember(id, userId, 30);
  await store.setAssignee(id, error.id, userId, userId, NOON);
  await store.listErrors(id, EVERYTHING, NOON);
  const note = await store.addNote(id, error.id, userId, 'a note', NOON);
  await store.listNotes(id, error.id);
  await store.removeNote(id, error.id, note?.id ?? '', { userId, ofOthers: false }, NOON);
  await store.listActivity(id, error.id);
  await store.removeMember(id, userId);
  const [, second, third] = (await store.listErrors(id, { ...EVERYTHING, limit: 3 }, NOON)).items;
  await store.mergeErrors(id, [error.id, second?.id ?? '', third?.id ?? '']);
  await store.listErrors(id, EVERYTHING, NOON);
  await store.errorById(id, third?.id ?? '', NOON);
  await store.latestEvent(id, error.id);
  await store.tagNames(id);
  await store.tagValues(id, 'level', 'e', false);
  await store.rollUpMerged();
  await store.unmergeErrors(id, error.id, null);
  await store.listOutcomes(id, NOON - 1000, NOON + 1000);
  await useReleases(store, project);
}

async function useMaintenance(store: Store, context: MongoContext, events: number): Promise<void> {
  const { collections } = context;
  await store.ping();
  await store.stats();
  await store.listJournals();
  await store.announceGateway('a'.repeat(32), '1');
  await store.listGateways();
  await store.retireGateway('a'.repeat(32));
  await requireAlone(context).catch(() => undefined);
  await store.initMeta('a', 'b');
  await store.initMeta('a', 'c');
  await store.setMeta('a', 'd');
  await store.acquireLease('work', 'one', 1000);
  await store.releaseLease('work', 'one');
  // Sets an old time of removal, so that removed projects are swept again.
  await collections.removedProjects.updateMany({}, { $set: { removedAt: 0 } });
  const keep = {
    receivedBefore: null,
    maxEventsPerError: null,
    keysReceivedBefore: 0,
    hoursBefore: 0,
    outcomesBefore: 0,
  };
  await store.prune({ ...keep, maxEventsPerError: 8 });
  const oldest = NOON - events + 50;
  await store.prune({ ...keep, receivedBefore: oldest, keysReceivedBefore: oldest - 20 });
  await store.prune({ ...keep, keysReceivedBefore: oldest });
  await store.prune({ ...keep, hoursBefore: NOON + 86_400_000, outcomesBefore: NOON - 1e9 });
  await useBlocks(store, context);
  for (let done = false; !done;) ({ done } = await store.prune({ ...keep, packReceivedBefore: NOON + 1 }));
}

/** Stores events in a block and reads one, dissolves the block, and leaves its events to be packed again. */
async function useBlocks(store: Store, context: MongoContext): Promise<void> {
  const project = (await store.listProjects()).find(({ path }) => path === 'g/p7');
  assert.ok(project !== undefined);
  const events = Array.from({ length: 20 }, (_, index) => makeEvent(project, `blocked ${index}`, { group: 'blocked' }));
  await new TestJournal(store, 'blocked').apply(events);
  const { id } = await errorOf(store, project, 'blocked');
  await useExport(context, project.id);
  assert.ok((await store.event(project.id, id, events[0]?.eventId ?? '')) !== null);
  const ids = events.map(({ eventId }) => eventKey(project.id, eventId));
  const rows = await context.collections.events.find({ p: project.id, _id: { $in: ids } }).toArray();
  // Sets an old time, at which the batch is long confirmed.
  const blocks = rows.flatMap(({ p, d }) => (d === undefined ? [] : (blockOf(p, d) ?? [])));
  await context.collections.eventBlocks.updateMany({ p: project.id, _id: { $in: blocks } }, { $set: { t: 0 } });
  const shrunk = new Map<string, Keyed>();
  await removePayloads(
    context,
    rows.slice(0, 11).map((row) => ({ ...row, b: row.d?.length() ?? 0 })),
    0,
    shrunk,
  );
  await unpackSparse(blockContext(context), [...shrunk.values()]);
}
