import type { BuildRelease, ReleaseCommit } from './build.ts';

/** Name of a commit that leads to a line. */
const COMMIT = /^[0-9a-f]{7,64}$/i;

/** What tells of which commit a release was built. */
interface Built {
  readonly announced: Pick<BuildRelease, 'refs'> | null;
  /** Newest first. */
  readonly commits: readonly Pick<ReleaseCommit, 'commit' | 'repository'>[];
}

/**
 * Returns the commit of a repository of which a release was built; null: unknown. Tools name it, or send its commits.
 * `repository`: name such as `acme/shop`; null: unknown. Where a release has commits of several repositories, those of
 * this one count alone.
 */
export function builtCommit({ announced, commits }: Built, repository: string | null): string | null {
  const refs = announced?.refs ?? [];
  const found = ofRepository(refs, repository) ?? ofRepository(commits, repository);
  return found !== null && COMMIT.test(found.commit) ? found.commit : null;
}

function ofRepository<T extends { readonly repository: string | null }>(
  all: readonly T[],
  name: string | null,
): T | null {
  const isNamed = (each: T) => name !== null && each.repository?.toLowerCase() === name.toLowerCase();
  const named = all.find(isNamed);
  if (named !== undefined) return named;
  const repositories = new Set(all.map(({ repository }) => repository));
  return repositories.size === 1 ? (all[0] ?? null) : null;
}
