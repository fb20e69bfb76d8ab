import assert from 'node:assert/strict';
import type { StatusChange } from '../../src/domain/errors/error-state.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { ErrorStatus } from '../../src/domain/errors/error-status.ts';
import { factsOf } from './facts.ts';
import { errorOf, hexId, makeEvent, makeProject, NOON, TestJournal } from './store-data.ts';

/** Makes a project and what brings facts about. Names of groups stand for hashes in `ids`. */
export async function factSetUp(store: Store) {
  const project = await makeProject(store);
  const journal = new TestJournal(store);
  let serial = 0;
  const happen = async (group: string, at: number, more: Parameters<typeof makeEvent>[2] = {}) => {
    serial += 1;
    const events = [makeEvent(project, `${group} ${serial}`, { group, at, ...more })];
    await journal.apply(events);
    assert.equal((await journal.replay(events)).kind, 'already_applied');
  };
  /** Sends events of users `from` to `to`, the last one excluded. */
  const affect = async (group: string, from: number, to: number, more: Parameters<typeof makeEvent>[2] = {}) => {
    const events = Array.from({ length: to - from }, (_, index) => {
      serial += 1;
      return makeEvent(project, `${group} ${serial}`, { group, user: `user ${from + index}`, ...more });
    });
    await journal.apply(events);
  };
  const set = async (id: string, status: ErrorStatus, change?: StatusChange, now = NOON) =>
    assert.equal(await store.setErrorStatus(project.id, id, status, now, change), true);
  const idOf = async (group: string) => (await errorOf(store, project, group)).id;
  const facts = () => factsOf(store, project.id);
  const ids = async () =>
    (await facts()).map(({ id }) => id.replace(/[0-9a-f]{32}/, (hash) => names.get(hash) ?? hash));
  const names = new Map(['a', 'b', 'c', 'd'].map((group) => [hexId(`${project.id} ${group}`), group]));
  return { store, project, journal, happen, affect, set, idOf, facts, ids };
}
