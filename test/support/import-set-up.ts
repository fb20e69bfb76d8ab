import assert from 'node:assert/strict';
import type { StoreHarness } from './store-harness.ts';
import { makeSource } from './import-data.ts';
import { hexId, makeEvent, makeProject, NOON, TestJournal } from './store-data.ts';

/** Opens a project with a source of history, and short forms of what the contracts of imports do. */
export async function setUpImport({ store }: StoreHarness) {
  const project = await makeProject(store);
  const source = await makeSource(store, project);
  const journal = new TestJournal(store);
  const live = (name: string, group: string, receivedAt = NOON, at = receivedAt) =>
    makeEvent(project, name, { group, receivedAt, at });
  const shown = async (errorId: string) => {
    await store.rollUpMerged();
    const error = await store.errorById(project.id, errorId, NOON);
    assert.ok(error !== null);
    return error;
  };
  const known = (errorId: string) => store.knownThere(project.id, errorId, NOON);
  const mark = (names: readonly string[]) =>
    store.markKnownThere(
      project.id,
      names.map((name) => hexId(`${project.id} ${name}`)),
      NOON,
    );
  return { store, project, source, journal, live, shown, known, mark };
}
