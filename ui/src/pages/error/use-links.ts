import type { Ref, ShallowRef } from 'vue';
import type { TrackedEvent } from '../../api/errors-api.ts';
import { getLinks, type ProjectLinks } from '../../api/links-api.ts';
import { sourceLink } from '../../lib/source-link.ts';
import { useLoaded } from '../../lib/use-loaded.ts';
import { provideSourceLinks } from './source-links.ts';

/**
 * Loads where the sources and issues of the project are, and links the frames below to their sources. Null until they
 * are loaded. `event`: the shown one, whose release names the ref.
 */
export function useLinks(
  project: Readonly<Ref<string>>,
  event: Readonly<Ref<TrackedEvent | null>>,
): ShallowRef<ProjectLinks | null> {
  const { value } = useLoaded(
    (signal) => getLinks(project.value, signal),
    () => project.value,
  );
  provideSourceLinks((frame) => {
    const repository = value.value?.repository ?? null;
    return repository === null ? null : sourceLink(frame, event.value?.release ?? null, repository);
  });
  return value;
}
