import type { NormalisedEvent } from '../../domain/events/event.ts';
import type { InAppRules } from './in-app.ts';
import type { ScrubberFor } from './scrub/scrubbers-for.ts';

export interface GroupingKey {
  readonly version: number;
  readonly key: string;
}

/**
 * Decides which events are one error. The key has a version, so that several versions can coexist. `former` holds the
 * keys of earlier versions, newest first, by which stored errors are found.
 */
export type Grouper = (event: NormalisedEvent) => GroupingKey & { readonly former?: readonly GroupingKey[] };

export interface DigestDeps {
  readonly group: Grouper;
  readonly scrubberFor: ScrubberFor;
  readonly inApp: InAppRules;
  /** Secret that all gateways of one store share; see `userHash`. */
  readonly userSalt: string;
  /** Returns the full path of a project; null when unknown. */
  readonly projectPath: (projectId: number) => string | null;
}
