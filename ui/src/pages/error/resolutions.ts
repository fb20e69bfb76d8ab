import type { NewStatusDetails } from '../../api/errors-api.ts';

/** Key of the resolution that asks for a commit. */
export const BY_COMMIT = 'commit';

interface Resolution {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  /** What the status waits for; absent: nothing. */
  readonly details?: NewStatusDetails;
}

/** Ways to resolve an error: which events bring it back. */
export const RESOLUTIONS: readonly Resolution[] = [
  { key: 'now', label: 'Resolve now', hint: 'Any later event brings it back' },
  {
    key: 'this',
    label: 'Resolve in this release',
    hint: 'Only events of a release after the newest one bring it back',
    details: { inRelease: 'latest' },
  },
  {
    key: 'next',
    label: 'Resolve in the next release',
    hint: 'Events of all known releases leave it resolved',
    details: { inNextRelease: true },
  },
  { key: BY_COMMIT, label: 'Resolve in a commit…', hint: 'In the release that names it, or with the commit noted' },
];
