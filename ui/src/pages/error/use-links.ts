import type { Ref, ShallowRef } from 'vue';
import type { ErrorDetail, TrackedEvent } from '../../api/errors-api.ts';
import { getLinks, type ProjectLinks } from '../../api/links-api.ts';
import type { SuspectCommits } from '../../api/suspect-commits-api.ts';
import { sourceLink } from '../../lib/source-link.ts';
import { useLoaded } from '../../lib/use-loaded.ts';
import { provideSourceLinks } from './source-links.ts';
import { provideUploadLinks, uploadRoute } from './upload-links.ts';
import { useSuspectCommits } from './use-suspect-commits.ts';

/**
 * Loads where the sources and issues of the project are, and the commits of the release of the shown event; links the
 * frames below to their sources, and the reasons of frames to uploads. Both are null until they are loaded.
 */
export function useLinks(
  project: Readonly<Ref<string>>,
  error: Readonly<Ref<ErrorDetail | null>>,
  event: Readonly<Ref<TrackedEvent | null>>,
): { readonly links: ShallowRef<ProjectLinks | null>; readonly suspects: ShallowRef<SuspectCommits | null> } {
  const { value: links } = useLoaded(
    (signal) => getLinks(project.value, signal),
    () => project.value,
  );
  const suspects = useSuspectCommits(project, error, event);
  provideSourceLinks((frame) => {
    const repository = links.value?.repository ?? null;
    if (repository === null) return null;
    const release = event.value?.release ?? null;
    // Those of a former event may be of another release.
    const known = suspects.value;
    return sourceLink(frame, release, repository, known?.release === release ? known.built_from : null);
  });
  provideUploadLinks((reason) => uploadRoute(project.value, event.value?.release ?? null, reason));
  return { links, suspects };
}
