import { MAX_FAVOURITES } from '../../domain/search/saved-view.ts';
import { favouritesFull } from '../refusals.ts';
import { NO_LINKS } from '../state/linked-issues.ts';
import type { StoreTable } from '../store-table.ts';
import { favourites, projectLinks } from './kinds/link-kinds.ts';
import { requiredProject } from './owners.ts';
import type { Records } from './records.ts';
import { change, fewer, put, remove, required } from './writes.ts';

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
