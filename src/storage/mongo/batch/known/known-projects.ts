import type { BatchCollections } from '../../engine/batch-collections.ts';

/** What a batch knows of a project that exists. */
export interface KnownProject {
  /** True when errors were imported into it, to which group hashes may lead. */
  readonly imports: boolean;
  /** True when mapped events may have left aliases. */
  readonly aliases: boolean;
  /** True when marks may wait for its events. */
  readonly marks: boolean;
  /** Number of times that errors of it were deleted; names of stored rows of earlier times are no longer known. */
  readonly deletions: number;
  /** Time of receipt up to which a tracker gets every event too; absent: none does. */
  readonly knownUntil?: number;
}

export type KnownProjects = ReadonlyMap<number, KnownProject>;

const FOUND = { _id: 1, imports: 1, aliases: 1, marksSince: 1, knownUntil: 1, deletions: 1 } as const;

/** Returns the existing ones of the given projects. */
export async function knownProjects(
  given: readonly number[],
  { projects }: Pick<BatchCollections, 'projects'>,
): Promise<KnownProjects> {
  const ids = [...new Set(given)];
  const found = ids.length === 0 ? [] : await projects.find({ _id: { $in: ids } }, FOUND, 'local');
  return new Map(
    found.map(({ _id, imports, aliases, marksSince, knownUntil, deletions }) => [
      _id as number,
      {
        imports: imports === true,
        aliases: aliases === true,
        marks: typeof marksSince === 'number',
        deletions: typeof deletions === 'number' ? deletions : 0,
        ...(typeof knownUntil === 'number' ? { knownUntil } : {}),
      },
    ]),
  );
}
