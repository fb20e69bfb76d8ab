import type { NewStatusDetails } from '../../api/errors-api.ts';
import { visibleExcerpt } from '../../lib/visible-text.ts';

interface Resolution {
  readonly key: 'resolve-next' | 'resolve-this';
  readonly label: string;
  readonly hint: string;
  /** What the status waits for. */
  readonly details: NewStatusDetails;
}

/** Maximum characters of a release. */
const MAX_SHOWN = 64;

/** Ways to resolve errors in a release: which events bring them back. `newest`: null when unknown. */
export function resolutions(newest: string | null): readonly Resolution[] {
  const named = newest === null ? null : visibleExcerpt(newest, MAX_SHOWN);
  return [
    {
      key: 'resolve-next',
      label: named === null ? 'In the next release' : `In the next release (after ${named})`,
      hint: 'Only events of a newer release bring it back',
      details: { inNextRelease: true },
    },
    {
      key: 'resolve-this',
      label: named === null ? 'In the newest release' : `In ${named} (newest release)`,
      hint: 'Only events of later releases bring it back',
      details: { inRelease: 'latest' },
    },
  ];
}
