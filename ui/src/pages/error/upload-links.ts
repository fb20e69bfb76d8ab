import { inject, provide, type InjectionKey } from 'vue';
import { projectAddress } from '../../lib/project-path.ts';

/** Route of the uploads that a reason is about; null: it names none. */
type UploadLink = (reason: string) => UploadRoute | null;

interface UploadRoute {
  readonly path: string;
  readonly query: { readonly release?: string; readonly search?: string };
}

/** Debug id in the reason why a frame is not mapped, as the service writes it. */
const DEBUG_ID = /\bid ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:-[0-9a-f]{1,8})?)\b/;

/** End of the reason in a project without uploads, as the service writes it. */
const NO_UPLOADS = /; the project has no uploads$/;

/**
 * Returns the route of the uploads that may explain a frame without original place: those with its debug id, of the
 * release where the reason says that it has uploads. Where the project has none, the page says how to upload.
 */
export function uploadRoute(project: string, release: string | null, reason: string): UploadRoute | null {
  const path = `${projectAddress(project)}/-/error_tracking/uploads`;
  if (NO_UPLOADS.test(reason)) return { path, query: {} };
  const ofRelease = release !== null && /^\d/.test(reason.split(`release ${release} has `)[1] ?? '');
  const search = DEBUG_ID.exec(reason)?.[1];
  if (!ofRelease && search === undefined) return null;
  return {
    path,
    query: { ...(ofRelease ? { release } : {}), ...(search === undefined ? {} : { search }) },
  };
}

const KEY: InjectionKey<UploadLink> = Symbol('upload links');

/** Sets where the reasons of all frames below lead to. */
export function provideUploadLinks(link: UploadLink): void {
  provide(KEY, link);
}

export function useUploadLinks(): UploadLink {
  return inject(KEY, () => null);
}
