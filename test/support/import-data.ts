import assert from 'node:assert/strict';
import type { ImportedCounts, ImportedError, ImportSource, NewAlias } from '../../src/domain/imports/import.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { TrackedErrorDetail } from '../../src/domain/errors/tracked-error.ts';
import { makeEvent, NOON } from './store-data.ts';

/** Adds a tracker's project as the source of a project's history. */
export async function makeSource(store: Store, project: Project, slug = 'shop'): Promise<ImportSource> {
  const source = {
    projectId: project.id,
    kind: 'sentry' as const,
    url: 'https://old.example.test',
    organization: 'acme',
    project: slug,
    externalProjectId: '5',
  };
  return store.addImportSource(source, NOON);
}

/** Makes an issue as a reader would; its title holds its id. */
export function makeIssue(source: ImportSource, issueId: string, given: Partial<ImportedError> = {}): ImportedError {
  return {
    sourceId: source.id,
    issueId,
    externalIds: [
      { kind: 'issue', value: issueId },
      { kind: 'short_id', value: `SHOP-${issueId}` },
    ],
    externalUrl: `https://old.example.test/organizations/acme/issues/${issueId}/`,
    type: 'ValueError',
    title: `imported ${issueId}`,
    message: `message of ${issueId}`,
    culprit: 'app.views in handler',
    level: 'error',
    platform: 'python',
    firstSeen: NOON - 1000,
    lastSeen: NOON - 500,
    firstRelease: null,
    lastRelease: null,
    status: { status: 'unresolved', changedAt: null, details: null },
    assignee: null,
    ...given,
  };
}

/** Makes counts of a tracker that has no users and no charts. */
export function counted(count: number, given: Partial<ImportedCounts> = {}): ImportedCounts {
  return { count, users: null, knownThere: 0, at: NOON, hours: [], days: [], ...given };
}

/** Makes an alias of the group hash that events of a group have. */
export function aliasFor(project: Project, group: string, given: Partial<NewAlias> = {}): NewAlias {
  const { groupHash, groupingVersion } = makeEvent(project, '', { group });
  return { groupHash, groupingVersion, origin: 'group_key', weak: false, ...given };
}

/** Puts an imported error that is not dropped. */
export async function putImported(
  store: Pick<Store, 'putImportedError'>,
  ...given: Parameters<Store['putImportedError']>
): Promise<{ errorId: string; created: boolean }> {
  const put = await store.putImportedError(...given);
  assert.ok(put !== null, 'the error is dropped');
  return put;
}

/** Imports an issue with its counts and the aliases of groups. Returns the error's id. */
export async function importIssue(
  store: Store,
  project: Project,
  issue: ImportedError,
  count: number,
  groups: readonly string[] = [],
): Promise<string> {
  const { errorId } = await putImported(store, project.id, issue, NOON);
  await store.setBase(project.id, errorId, counted(count));
  const aliases = groups.map((group) => aliasFor(project, group));
  if (aliases.length > 0) await store.addAliases(project.id, errorId, aliases, NOON);
  return errorId;
}

/** Reads an error with its details. */
export async function detailOf(store: Store, project: Project, errorId: string): Promise<TrackedErrorDetail> {
  const found = await store.errorById(project.id, errorId, NOON);
  assert.ok(found !== null, `there is no error ${errorId}`);
  return found;
}
