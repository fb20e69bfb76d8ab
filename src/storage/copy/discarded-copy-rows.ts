import type { DiscardedGroup } from '../../domain/ports/stores/list-store.ts';

/** Names of users, and groups whose events are dropped. */
export interface DiscardedCopyRows {
  readonly userNames: {
    readonly projectId: number;
    readonly nameHash: string;
    readonly userHash: string;
    /** UTC day, whole days since the epoch. */
    readonly day: number;
  };
  readonly discardedGroups: DiscardedGroup & { readonly projectId: number };
  readonly discardedHashes: {
    readonly projectId: number;
    readonly groupHash: string;
    readonly discardedId: number;
  };
}
