import type { BuildRelease } from '../../domain/artifacts/build.ts';
import type { Project } from '../../domain/projects/project.ts';
import { announcedTime } from '../../domain/releases/release-order.ts';
import type { ToolCall } from './tool-route.ts';

/** Maximum earlier releases of a project in which commits are looked for. */
const MAX_LOOKED_AT = 20;

/**
 * Returns the newest release with commits before one, in the projects that announced it; null: there is none. They are
 * ordered by the time when builds finished or else announced them. Tools send the commits after its last one.
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
    const earlier = announced.filter((each) => timeOf(each) < timeOf(own)).sort(newestFirst);
    for (const each of earlier.slice(0, MAX_LOOKED_AT)) {
      if (each.refs.length === 0 && (await store.commitsInShort(id, each.release)).count === 0) continue;
      found.push(each);
      break;
    }
  }
  return found.sort(newestFirst)[0]?.release ?? null;
}

const timeOf = (release: BuildRelease): number => announcedTime(undefined, release);

const newestFirst = (a: BuildRelease, b: BuildRelease): number => timeOf(b) - timeOf(a);
