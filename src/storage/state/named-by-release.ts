import type { ActivityEntry } from '../../domain/errors/error-state.ts';
import type { ResolvedInCommit } from '../../domain/ports/stores/release-store.ts';

/** Change of an error that is resolved in a commit alone, when a release names the commit. */
export interface NamedByRelease {
  /** Details as they are stored, before and after. */
  readonly from: string;
  readonly to: string;
  readonly entry: ActivityEntry;
}

export function namedByRelease({ inCommit }: ResolvedInCommit, release: string, now: number): NamedByRelease {
  const details = { inRelease: release, inCommit };
  return {
    ...{ from: JSON.stringify({ inCommit }), to: JSON.stringify(details) },
    entry: { at: now, kind: 'resolved', userId: null, details: { status: details } },
  };
}
