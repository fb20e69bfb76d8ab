import assert from 'node:assert/strict';
import type { Connection } from 'mongoose';
import { inGroup, inProject } from '../../src/domain/projects/invitation.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { COLLECTIONS } from '../../src/storage/mongo/engine/collections.ts';
import { linkedIssueKey } from '../../src/storage/mongo/documents/link-documents.ts';
import { importIssue, makeIssue, makeSource } from './import-data.ts';
import { makeInvitation } from './invitation-data.ts';
import { makeLinks } from './link-data.ts';
import { errorOf, hexId, makeEvent, NOON, TestJournal } from './store-data.ts';
import { fillGroups, useGroups } from './mongo-use-groups.ts';
import { SMALL_ROWS } from './mongo-engine.ts';

/** Fills the collections of links, groups and invitations, so that a planner prefers indexes to scans. */
export async function fillLinks(connection: Connection, projects: readonly number[]): Promise<void> {
  const insert = async (name: keyof typeof COLLECTIONS, make: (index: number) => object) =>
    connection.db
      ?.collection(COLLECTIONS[name].name)
      .insertMany(Array.from({ length: SMALL_ROWS }, (_, index) => make(index)));
  const member = (index: number) => ({ projectId: 10_000 + (index % 100), userId: 10_000 + index });
  await insert('projectLinks', (index) => ({ _id: 10_000 + index, ...makeLinks() }));
  await insert('linkedIssues', (index) => {
    const p = projects[index % projects.length] ?? 1;
    const url = `https://git.test/${index}`;
    return { _id: linkedIssueKey(p, hexId(`filled ${index}`), url), p, i: 10_000 + index, url, t: 'x', at: 1, u: 1 };
  });
  await insert('issueHooks', (index) => ({ _id: 10_000 + index, sealed: 'x', createdAt: 1 }));
  await insert('seenIssues', (index) => ({
    ...{ _id: `filled ${index}`, projectId: 10_000 + (index % 100), issue: hexId(`filled ${index}`) },
    ...{ state: 'closed', at: index, delivery: 'x' },
  }));
  await insert('savedViews', (index) => ({ _id: `filled ${index}`, ...member(index), version: 1, views: [] }));
  await insert('favourites', (index) => ({ _id: `filled ${index}`, ...member(index) }));
  await fillGroups(connection);
  await insert('invitations', (index) => ({
    ...{ _id: 10_000 + index, ...member(index), place: `project:${10_000 + (index % 100)}` },
    ...{ email: `p${index}@shop.test`, tokenHash: hexId(`filled ${index}`, 64), acceptedAt: null, claimedAt: null },
  }));
}

/** Runs every query of links, saved views, favourites, groups and invitations at least once. */
export async function useLinks(store: Store, project: Project): Promise<void> {
  const { id } = project;
  await new TestJournal(store, 'links').apply([makeEvent(project, 'linked', { group: 'linked' })]);
  const { id: errorId } = await errorOf(store, project, 'linked');
  const user = await store.createUser({ username: 'links', name: 'L', admin: false, passwordHash: 'x' });
  await store.setProjectLinks(id, makeLinks());
  await store.projectLinks(id);
  await store.replaceSealedIssueToken(id, 'sealed', 'again');
  await store.setProjectLinks(id, makeLinks({ repository: null, issueTracker: null }));
  const issue = await store.addLinkedIssue(id, errorId, { url: 'https://git.test/1', title: 'x' }, user.id, NOON);
  await store.errorsWithIssue(id, ['https://git.test/1', 'https://git.test/2']);
  await useIssueHooks(store, id);
  await store.removeLinkedIssue(id, errorId, issue?.id ?? 0, user.id, NOON);
  const imported = await importIssue(store, project, makeIssue(await makeSource(store, project), 'linked'), 1, []);
  await store.putLinkedIssues(id, imported, [{ url: 'https://git.test/2', title: 'x', at: NOON, userId: null }]);
  await store.saveView(id, user.id, { name: 'one', query: '', isDefault: true });
  const view = await store.saveView(id, user.id, { name: 'two', query: '', isDefault: false });
  await store.savedViews(id, user.id);
  await store.removeView(id, user.id, view.id);
  await store.setFavourite(user.id, id, true);
  await store.favourites(user.id);
  await store.setFavourite(user.id, id, false);
  await store.removeMember(id, user.id);
  await useGroups(store);
  await useInvitations(store, id);
}

async function useIssueHooks(store: Store, projectId: number): Promise<void> {
  await store.setIssueHook({ projectId, sealed: 'one', createdAt: NOON });
  await store.replaceSealedHook(projectId, 'one', 'two');
  await store.issueHook(projectId);
  await store.listIssueHooks();
  await store.removeIssueHook(projectId);
  const key = { projectId, issue: hexId('issue') };
  const closed = { ...key, state: 'closed', at: NOON, delivery: 'one' } as const;
  const opened = { ...key, state: 'opened', at: NOON + 1, delivery: 'two' } as const;
  await store.moveSeenIssue(key, null, closed);
  await store.moveSeenIssue(key, closed, opened);
  await store.seenIssue(projectId, key.issue);
  await store.moveSeenIssue(key, opened, null);
}

async function useInvitations(store: Store, projectId: number): Promise<void> {
  const made = await store.createInvitation(makeInvitation(projectId));
  assert.ok(made !== null);
  await store.createInvitation(makeInvitation(projectId));
  await store.invitationByHash(made.tokenHash);
  await store.invitationFor(inProject(projectId), made.email);
  await store.listInvitations(inProject(projectId));
  await store.invitationsOfEmail(made.email);
  const changed = await store.changeInvitation(made.id, { sentAt: NOON });
  assert.ok(changed !== null && (await store.claimInvitation(changed, NOON)));
  await store.endClaim(made.id, NOON, 7);
  await store.removeInvitation(made.id);
  const group = await store.createGroup({ path: 'invited', name: 'i' });
  await store.createInvitation(makeInvitation(0, inGroup(group.id)));
  await store.deleteGroup(group.id);
}
