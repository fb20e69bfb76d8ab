import assert from 'node:assert/strict';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { HOUR, listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

export interface MergeFixture {
  readonly project: Project;
  readonly journal: TestJournal;
  readonly a: string;
  readonly b: string;
  readonly c: string;
}

/** Numbers of the errors of some groups; the first group gets the least. */
export async function idsOf(store: Store, project: Project, ...groups: string[]): Promise<string[]> {
  const all = await listAll(store, project);
  return groups.map((group) => {
    const found = all.find(({ message }) => message === `bad value in ${group}`);
    assert.ok(found !== undefined, group);
    return found.id;
  });
}

/** Three errors: a with 2 events and 2 users, b with 3 and 2 (one of them also of a), c with 1 and nobody. */
export async function mergeFixture(store: Store): Promise<MergeFixture> {
  // What earlier tests left to be brought up to date is not counted by this one.
  await store.rollUpMerged();
  const project = await makeProject(store);
  const journal = new TestJournal(store);
  const tags = (environment: string) => [['environment', environment]] as const;
  await journal.apply([
    makeEvent(project, 'a1', {
      group: 'alpha',
      user: 'ada',
      at: NOON - 5 * HOUR,
      release: 'r1',
      tags: tags('prod'),
    }),
    makeEvent(project, 'a2', {
      group: 'alpha',
      user: 'bob',
      at: NOON - 2 * HOUR,
      release: 'r2',
      tags: tags('prod'),
    }),
    makeEvent(project, 'b1', {
      group: 'bravo',
      user: 'bob',
      at: NOON - 9 * HOUR,
      release: 'r0',
      tags: tags('dev'),
    }),
    makeEvent(project, 'b2', { group: 'bravo', user: 'eve', at: NOON - HOUR, release: 'r3', tags: tags('prod') }),
    makeEvent(project, 'b3', {
      group: 'bravo',
      user: 'eve',
      at: NOON - 3 * HOUR,
      level: 'warning',
      tags: tags('dev'),
    }),
    makeEvent(project, 'c1', { group: 'zulu', at: NOON - 4 * HOUR }),
  ]);
  const [a, b, c] = (await idsOf(store, project, 'alpha', 'bravo', 'zulu')) as [string, string, string];
  return { project, journal, a, b, c };
}
