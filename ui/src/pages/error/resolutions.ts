import { resolutions } from '../errors/resolutions.ts';

/** Key of the resolution at once. */
const NOW = 'now';
/** Key of the resolution that asks for a commit. */
export const BY_COMMIT = 'commit';

/** Ways to resolve an error: which events bring it back. `newest`: newest release; null when unknown. */
export function allResolutions(newest: string | null) {
  return [
    { key: NOW, label: 'Now', hint: 'Any later event brings it back' },
    ...resolutions(newest),
    { key: BY_COMMIT, label: 'In a commit…', hint: 'In the release that names it, or with the commit noted' },
  ];
}
