import type { BuildRelease } from '../../domain/artifacts/build.ts';
import type { Project } from '../../domain/projects/project.ts';
import type { ToolCall } from './tool-route.ts';

/** Maximum earlier releases of a project in which commits are looked for. */
const MAX_LOOKED_AT = 20;

/**
 * Returns the newest release with commits that was announced before one, in the projects that announced it; null: there
 * is none. Tools send the commits after its last one.
 */
export async function previousWithCommits(
  { deps: { store } }: ToolCall,
  projects: readonly Project[],
  release: string,
): Promise<string | null> {
  const found: BuildRelease[] = [];
  for (const { id } of projects) {
    const announced = await store.listBuildReleases(id);
    const own = announced.find((each) => each.release === release);
    if (own === undefined) continue;
    const earlier = announced.filter(({ createdAt }) => createdAt < own.createdAt).slice(0, MAX_LOOKED_AT);
    for (const each of earlier) {
      if (each.refs.length === 0 && (await store.commitsInShort(id, each.release)).count === 0) continue;
      found.push(each);
      break;
    }
  }
  return found.sort((a, b) => b.createdAt - a.createdAt)[0]?.release ?? null;
}
