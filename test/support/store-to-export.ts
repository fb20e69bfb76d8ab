import assert from 'node:assert/strict';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { groupHashOf } from '../../src/integrated/digest/group-hash.ts';
import { groupV2 } from '../../src/integrated/digest/group/v2/group.ts';
import { encodePayload } from './encode-payload.ts';
import { KEEP, pruneAll } from './prune-all.ts';
import {
  EVERYTHING,
  hexId,
  HOUR,
  listAll,
  makeEvent,
  makeProject,
  normalisedEvent,
  TestJournal,
} from './store-data.ts';

/** A whole hour: charts of an import end with the present. */
export const START = Math.floor(Date.now() / HOUR) * HOUR - HOUR;
export const HOSTILE = '=cmd|\' /C calc\'!A0\n"q",\u2028{{7*7}}</script> \ud83d\ude00';

/** Makes an event that is counted under its real grouping key. */
export function grouped(project: Project, name: string, group: string, given: Parameters<typeof makeEvent>[2] = {}) {
  const eventId = hexId(`${project.path} ${name}`);
  const at = given.at ?? START;
  const body = { ...normalisedEvent(eventId, group), timestamp: new Date(at).toISOString() };
  const { groupHash, groupingVersion } = groupHashOf(project.id, groupV2(body));
  return makeEvent(project, name, {
    ...given,
    ...{ eventId, groupHash, groupingVersion, payload: encodePayload(body), title: group, message: group },
  });
}

/** Projects with 60 events: merged, resolved, ignored, pruned and hostile errors. */
export async function fill(store: Store): Promise<Project> {
  await makeProject(store, 'acme/other');
  const shop = await makeProject(store, 'acme/shop');
  await store.saveSettings(shop.id, { active: true, integrated: true });
  await store.addAlias(shop.id, 'old-shop');
  await store.createKey(shop.id, 'glet_active');
  const off = await store.createKey(shop.id, 'glet_off');
  await store.setKeyActive(shop.id, off.id, false);
  const journal = new TestJournal(store);
  const events = Array.from({ length: 60 }, (_, index) =>
    grouped(shop, `e${index}`, `word${'abcdef'[index % 6] ?? ''} failed`, {
      user: `user ${index % 7}`,
      at: START - index * HOUR,
      release: `1.${index % 3}`,
    }),
  );
  await journal.apply([...events, grouped(shop, 'hostile', HOSTILE, { at: START })]);
  const ids = new Map((await listAll(store, shop)).map(({ id, title }) => [title, id]));
  await store.mergeErrors(shop.id, [ids.get('worda failed') ?? '', ids.get('wordb failed') ?? '']);
  await store.rollUpMerged();
  await store.setErrorStatus(shop.id, ids.get('wordc failed') ?? '', 'resolved', START + 1);
  await store.setErrorStatus(shop.id, ids.get('wordd failed') ?? '', 'ignored', START + 1, {
    details: { ignoreCount: 1000, ignoreUntil: START + 1000 * HOUR },
    agent: 'claude',
  });
  const ada = await store.createUser({ username: 'ada', name: 'Ada', admin: false, passwordHash: 'x' });
  await store.setMember(shop.id, ada.id, 30);
  await store.setAssignee(shop.id, ids.get('wordd failed') ?? '', ada.id, ada.id, START + 2);
  const eve = await store.createUser({
    ...{ username: 'eve', name: 'Eve', email: 'eve@example.test', admin: false, passwordHash: 'x' },
  });
  await store.setMember(shop.id, eve.id, 30);
  await store.setAssignee(shop.id, ids.get('wordf failed') ?? '', eve.id, ada.id, START + 2);
  await store.addNote(shop.id, ids.get('wordd failed') ?? '', ada.id, HOSTILE, START + 3);
  await pruneAll(store, { ...KEEP, receivedBefore: START - 24 * HOUR });
  return shop;
}

/** Returns all numbers that a list shows, without ids. */
export async function numbers(store: Store, path = 'acme/shop') {
  const found = await store.projectByPath(path);
  assert.ok(found !== null);
  const items = await listAll(store, found.project, EVERYTHING, START);
  return items
    .map(({ id: _, projectId: __, assignee: ___, externalIds, frequency, ...rest }) => ({
      ...rest,
      shortId: externalIds.find(({ kind }) => kind === 'short_id')?.value,
      frequency: frequency?.map(([, n]) => n),
    }))
    .sort((a, b) => (a.title < b.title ? -1 : 1));
}
