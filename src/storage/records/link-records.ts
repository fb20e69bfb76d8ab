import { MAX_FAVOURITES } from '../../domain/search/saved-view.ts';
import { MAX_SEEN_ISSUES } from '../../domain/projects/issue-hook.ts';
import { favouritesFull } from '../refusals.ts';
import { NO_LINKS } from '../state/linked-issues.ts';
import type { StoreTable } from '../store-table.ts';
import { favourites, issueHooks, projectLinks, seenIssues } from './kinds/link-kinds.ts';
import { requiredProject } from './owners.ts';
import type { Records } from './records.ts';
import { change, fewer, insert, put, remove, removeAll, required } from './writes.ts';

/** Methods of the port about links of projects and about favourites. */
export const LINK_RECORDS = {
  async projectLinks(records, projectId) {
    const row = await records.get(projectLinks, { projectId });
    if (row === null) return NO_LINKS;
    const { projectId: _project, ...links } = row;
    return links;
  },
  async setProjectLinks(records, projectId, links) {
    const isEmpty = links.repository === null && links.issueTracker === null;
    const write = isEmpty ? remove(projectLinks, { projectId }) : put(projectLinks, { ...links, projectId });
    await records.write([write], [requiredProject(projectId)]);
  },
  async replaceSealedIssueToken(records, projectId, before, sealedToken) {
    return (await records.write([change(projectLinks, { projectId }, { sealedToken }, { sealedToken: before })]))[0];
  },

  issueHook: (records, projectId) => records.get(issueHooks, { projectId }),
  listIssueHooks: (records) => records.list(issueHooks, {}),
  async setIssueHook(records, hook) {
    await records.write([put(issueHooks, hook)], [requiredProject(hook.projectId)]);
  },
  removeIssueHook: async (records, projectId) => (await records.write([remove(issueHooks, { projectId })]))[0],
  async replaceSealedHook(records, projectId, before, sealed) {
    return (await records.write([change(issueHooks, { projectId }, { sealed }, { sealed: before })]))[0];
  },
  seenIssue: (records, projectId, issue) => records.get(seenIssues, { projectId, issue }),
  async moveSeenIssue(records, { projectId, issue }, before, after) {
    const key = { projectId, issue };
    if (before === null) {
      if (after === null) return true;
      const owner = requiredProject(projectId);
      const rest = { newest: 'at', keep: MAX_SEEN_ISSUES - 1, besides: key } as const;
      const insertion = insert(seenIssues, after, { when: [owner.needed] });
      return (await records.write([insertion, removeAll(seenIssues, { projectId }, rest)], [owner]))[0] !== null;
    }
    const { state, at, delivery } = before;
    const is = { state, at, delivery };
    if (after === null) return (await records.write([remove(seenIssues, key, { is })]))[0];
    const set = { state: after.state, at: after.at, delivery: after.delivery };
    return (await records.write([change(seenIssues, key, set, is)]))[0];
  },

  async favourites(records, userId) {
    return (await records.list(favourites, { userId })).map(({ projectId }) => projectId);
  },
  async setFavourite(records, userId, projectId, favourite) {
    const key = { projectId, userId };
    if (!favourite) {
      await records.write([remove(favourites, key)]);
      return;
    }
    // One that is marked already needs no room.
    const room = fewer(favourites, { userId }, MAX_FAVOURITES, key);
    await records.write([put(favourites, key)], [requiredProject(projectId), required(room, favouritesFull())]);
  },
} as const satisfies StoreTable<Records>;
