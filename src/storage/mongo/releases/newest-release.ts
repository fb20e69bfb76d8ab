import { newestOf, RELEASES_COMPARED } from '../../../domain/releases/release-order.ts';
import type { MongoContext } from '../engine/context.ts';
import { reading } from '../engine/operation-options.ts';

/**
 * Returns the newest release of a project by the order of releases, of those first seen until a time; null: it has none.
 */
export async function newestRelease({ collections }: MongoContext, p: number, until: number): Promise<string | null> {
  const rows = await collections.releases
    .find({ p, e: '', first: { $lte: until } }, reading('releases.newest', { r: 1 }))
    .sort({ first: -1, _id: -1 })
    // One more, because the sums of all releases are beside them.
    .limit(RELEASES_COMPARED + 1)
    .toArray();
  return newestOf(rows.map(({ r }) => r).filter((release) => release !== ''));
}
