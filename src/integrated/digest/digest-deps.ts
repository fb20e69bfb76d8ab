import type { NormalisedEvent } from '../../domain/event.ts';
import type { InAppRules } from './in-app.ts';
import type { ScrubberFor } from './scrub/scrubbers-for.ts';

export interface GroupingKey {
  readonly version: number;
  readonly key: string;
}

/**
 * Decides which events are one error. The version stands beside the key, so that another may live with it:
 * `former` holds the keys under earlier versions, newest first, by which stored errors are found again.
 */
export type Grouper = (event: NormalisedEvent) => GroupingKey & { readonly former?: readonly GroupingKey[] };

export interface DigestDeps {
  readonly group: Grouper;
  readonly scrubberFor: ScrubberFor;
  readonly inApp: InAppRules;
  /** Secret that all gateways of one store share; see `userHash`. */
  readonly userSalt: string;
  /** Full path of a project; null when unknown. */
  readonly projectPath: (projectId: number) => string | null;
}
