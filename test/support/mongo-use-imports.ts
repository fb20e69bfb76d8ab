import assert from 'node:assert/strict';
import { mongo, type Connection } from 'mongoose';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { COLLECTIONS } from '../../src/storage/mongo/engine/collections.ts';
import type { MongoContext } from '../../src/storage/mongo/engine/context.ts';
import { errorKey, eventKey, hexBinary } from '../../src/storage/mongo/documents/document-keys.ts';
import { errorNoteKey } from '../../src/storage/mongo/documents/import-documents.ts';
import { encodePayload } from './encode-payload.ts';
import { aliasFor, counted, importIssue, makeIssue, makeSource } from './import-data.ts';
import { KEEP } from './prune-all.ts';
import { DAY, errorOf, hexId, listAll, makeEvent, NOON, normalisedEvent, TestJournal } from './store-data.ts';
import { SMALL_ROWS } from './mongo-engine.ts';

/** Fills the collections of imports, so that a planner prefers indexes to scans. */
export async function fillImports({ db }: Connection, projects: readonly number[]): Promise<void> {
  const insert = (name: keyof typeof COLLECTIONS, make: (p: number, index: number) => object) =>
    db
      ?.collection(COLLECTIONS[name].name)
      .insertMany(
        Array.from({ length: SMALL_ROWS }, (_, index) => make(projects[index % projects.length] ?? 1, index)),
      );
  const errorOfRow = (index: number): string => hexId(`imported ${index % 1000}`);
  await insert('importSources', (_, index) => ({
    ...{ _id: 10_000 + index, projectId: 10_000 + index, kind: 'sentry', url: 'u', organization: 'o', project: 'p' },
    ...{ externalProjectId: null, createdAt: 0, bothReceiveUntil: null },
  }));
  await insert('importStates', (_, index) => ({ _id: `${10_000 + index}/run`, state: '{}' }));
  await insert('importedErrors', (p, index) => ({
    ...{ _id: errorKey(p, hexId(`imported ${index}`)), p, s: 10_000 + (index % 10), i: `${index}`, seen: index },
    ...{
      x: [{ k: 'issue', v: `old-${index}` }],
      xl: [`old-${index}`],
      url: null,
      as: null,
      st: 0,
      sat: null,
      det: null,
    },
  }));
  await insert('groupAliases', (p, index) => ({
    ...{ _id: errorKey(p, hexId(`alias ${index}`)), p, l: hexBinary(errorOfRow(index)), v: 1, o: 'group_key' },
    ...{ wk: false, t: 0, end: null },
  }));
  await insert('continuations', (p, index) => {
    const groupHash = hexId(`sent ${index}`);
    return { _id: `${p}/${groupHash}`, projectId: p, groupHash, mappedHash: hexId(`alias ${index}`) };
  });
  await insert('knownThere', (p, index) => ({
    ...{ _id: eventKey(p, hexId(`marked ${index}`)), p, l: hexBinary(errorOfRow(index)), r: NOON + index },
    t: NOON + index,
  }));
  await insert('importedEvents', (p, index) => ({
    ...{ _id: eventKey(p, hexId(`imported event ${index}`)), p, l: hexBinary(errorOfRow(index)), at: NOON + index },
    ...{ r: NOON + index, d: new mongo.Binary(Buffer.alloc(10)) },
  }));
  await insert('errorNotes', (p, index) => ({
    ...{ _id: errorNoteKey(p, errorOfRow(index), `${index}`), p, x: `${index}`, a: 'ada', at: index, m: 'text' },
  }));
}

/** Runs every query of imports at least once, in every form with another plan. */
export async function useImports(store: Store, { collections }: MongoContext, project: Project): Promise<void> {
  const { id } = project;
  const source = await makeSource(store, project);
  await makeSource(store, project);
  await store.listImportSources(null);
  await store.listImportSources(id);
  await store.saveImportState(`${id}/run`, '{}');
  await store.importState(`${id}/run`);
  await store.listImportStates(`${id}/`);
  const journal = new TestJournal(store, 'imported');
  const live = (name: string, group = 'joined') => makeEvent(project, name, { group, user: name });
  const owned = live('own', 'owned');
  await journal.apply([owned]);
  const errorId = await importIssue(store, project, makeIssue(source, '4711'), 10, ['joined']);
  const other = await importIssue(store, project, makeIssue(source, '4712'), 10);
  await store.addAliases(id, other, [aliasFor(project, 'joined'), aliasFor(project, 'owned')], NOON);
  await store.addAliases(id, other, [aliasFor(project, 'moved')], NOON);
  await store.addAliases(id, errorId, [aliasFor(project, 'moved', { takesOver: true })], NOON);
  await store.endAlias(id, aliasFor(project, 'moved').groupHash);
  const sentGroupHashes = [{ groupHash: owned.groupHash, groupingVersion: owned.groupingVersion }];
  await journal.apply([
    { ...makeEvent(project, 'mapped', { group: 'original', sentGroupHashes }), message: owned.message },
  ]);
  await journal.apply([makeEvent(project, 'mapped otherwise', { group: 'another original', sentGroupHashes })]);
  await store.addContinuations(id, [{ groupHash: hexId('sent there'), mappedHash: hexId('mapped there') }]);
  await store.unmergedAliases(id);
  await store.errorsToLookUp(id, null, 10);
  await store.markKnownThere(id, [live('marked').eventId, hexId('never')], NOON);
  await journal.apply([live('marked'), live('seen')]);
  await store.markKnownThere(id, [live('seen').eventId], NOON);
  assert.equal(await store.knownThere(id, errorId, NOON), 2);
  const charts = { hours: [[NOON / 1000, 3] as [number, number]], days: [] };
  await store.setBase(id, errorId, counted(12, { knownThere: 2, at: NOON + 1, ...charts }));
  const status = { status: 'resolved' as const, changedAt: NOON + DAY, details: null };
  await store.putImportedError(id, makeIssue(source, '4711', { status }), NOON + 1);
  await store.missingIssues(source.id, NOON + 1);
  const body = (name: string) => {
    const eventId = hexId(name);
    return { eventId, at: NOON - 5, payload: encodePayload(normalisedEvent(eventId)) };
  };
  await store.addImportedEvents(id, errorId, [body('body'), body('body of old')], NOON - 2 * DAY);
  await store.putNotes(id, errorId, [{ externalId: '1', author: 'ada', at: NOON, text: 'x' }]);
  const entry = { at: NOON, kind: 'resolved', userId: null, details: { importedId: 'a'.repeat(32) } } as const;
  await store.putActivity(id, errorId, [entry]);
  await store.putReleases(id, [{ release: '7', firstSeen: NOON, lastSeen: NOON }]);
  await store.findByExternalId(null, '4711');
  await listAll(store, project, { search: 'shop-4711' });
  await listAll(store, project, { search: hexId('body') });
  await store.errorById(id, errorId, NOON);
  const first = await store.listEvents(id, errorId, 2, null);
  await store.listEvents(id, errorId, 2, first?.next ?? null);
  await store.latestEvent(id, errorId);
  await store.event(id, errorId, hexId('body'));
  await store.newestUsers(id, errorId);
  const own = await errorOf(store, project, 'owned');
  await store.mergeErrors(id, [other, own.id]);
  await store.unmergeErrors(id, own.id, null);
  await store.setBothReceiveUntil(source.id, Date.now() + DAY);
  await store.setBothReceiveUntil(source.id, null);
  const second = await makeSource(store, project, 'other');
  await store.setBothReceiveUntil(second.id, Date.now() + DAY);
  await collections.importSources.updateMany({ projectId: id }, { $unset: { knownUntil: '' } });
  await store.setBothReceiveUntil(second.id, NOON - 1);
  await store.reserveErrorNumbers(1);
  // A mark whose event has no key any more is added to the number of its error, also after a crash half-way.
  await collections.projects.updateOne({ _id: id }, { $unset: { knownUntil: '' } });
  const groupHash = hexId(`${id} joined`);
  const _id = eventKey(id, hexId('gone'));
  const alias = await collections.groupAliases.findOne({ _id: errorKey(id, groupHash), p: id });
  assert.ok(alias !== null);
  await collections.knownThere.insertOne({ _id, p: id, l: alias.l, r: NOON, t: 1 });
  await store.prune({ ...KEEP, receivedBefore: NOON - DAY, keysReceivedBefore: 2 });
  await collections.errors.updateOne({ _id: errorKey(id, alias.l.toString('hex')), p: id }, { $set: { kf: [_id] } });
  await store.knownThere(id, errorId, NOON);
  await store.unknownThere(id);
}
