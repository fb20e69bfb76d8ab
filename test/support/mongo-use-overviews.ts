import type { Store } from '../../src/domain/ports/stores/store.ts';
import { NOON } from './store-data.ts';

/** Asks everything of many projects at once. */
export async function useOverviews(store: Store): Promise<void> {
  const projects = await store.listProjects();
  const ids = projects
    .filter(({ path }) => path.startsWith('g/'))
    .map(({ id }) => id)
    .slice(0, 30);
  const user = await store.userByName('ada');
  await store.projectAccess(ids, user?.id ?? 0);
  await store.projectNews(ids, NOON);
  // Repeats it now that the last occurrences are remembered.
  await store.projectNews(ids, NOON);
  for (const perProject of [10, 1]) {
    const limits = { limit: 20, perProject };
    await store.errorsThatMatter(ids, limits, NOON);
    await store.errorsThatMatter(ids, limits, NOON);
  }
}
