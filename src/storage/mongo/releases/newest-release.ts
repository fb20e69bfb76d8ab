import { newestOf, RELEASES_COMPARED } from '../../../domain/releases/release-order.ts';
import type { MongoContext } from '../engine/context.ts';
import { reading } from '../engine/operation-options.ts';

interface Announced {
  readonly release: string;
  readonly createdAt: number;
  readonly releasedAt: number | null;
}

/**
 * Returns the newest release of a project by the order of releases, of those first seen, or announced and not finished
 * later, until a time; null: it has none.
 */
export async function newestRelease({ collections }: MongoContext, p: number, until: number): Promise<string | null> {
  const [rows, announced] = await Promise.all([
    collections.releases
      .find({ p, e: '', first: { $lte: until } }, reading('releases.newest', { r: 1, first: 1 }))
      .sort({ first: -1, _id: -1 })
      // One more, because the sums of all releases are beside them.
      .limit(RELEASES_COMPARED + 1)
      .toArray(),
    collections.buildReleases
      .aggregate<Announced>(
        [
          { $match: { projectId: p } },
          { $project: { release: 1, createdAt: 1, releasedAt: 1, at: { $ifNull: ['$releasedAt', '$createdAt'] } } },
          { $match: { at: { $lte: until } } },
          { $sort: { at: -1, release: 1 } },
          { $limit: RELEASES_COMPARED },
        ],
        reading('build_releases.newest'),
      )
      .toArray(),
  ]);
  const seen = rows.map(({ r, first }) => ({ release: r, firstSeen: first })).filter(({ release }) => release !== '');
  return newestOf(seen, announced);
}
