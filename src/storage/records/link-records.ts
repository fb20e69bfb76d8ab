import { MAX_FAVOURITES } from '../../domain/saved-view.ts';
import { favouritesFull, unknownProject } from '../refusals.ts';
import { NO_LINKS } from '../state/linked-issues.ts';
import type { StoreTable } from '../store-table.ts';
import { projects } from './kinds.ts';
import { favourites, projectLinks } from './link-kinds.ts';
import type { Records } from './records.ts';
import { change, exists, fewer, put, remove, required } from './writes.ts';

const known = (id: number) => required(exists(projects, { id }), unknownProject(id));

/** Methods of the port about links of projects and about favourites. */
export const LINK_RECORDS = {
  async projectLinks(records, projectId) {
    const row = await records.get(projectLinks, { projectId });
    if (row === null) return NO_LINKS;
    const { repository, issueTracker, sealedToken } = row;
    return { repository, issueTracker, sealedToken };
  },
  async setProjectLinks(records, projectId, links) {
    const isEmpty = links.repository === null && links.issueTracker === null;
    const write = isEmpty ? remove(projectLinks, { projectId }) : put(projectLinks, { ...links, projectId });
    await records.write([write], [known(projectId)]);
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
    const isMarked = (await records.get(favourites, key)) !== null;
    const room = isMarked ? [] : [required(fewer(favourites, { userId }, MAX_FAVOURITES), favouritesFull())];
    await records.write([put(favourites, key)], [known(projectId), ...room]);
  },
} as const satisfies StoreTable<Records>;
