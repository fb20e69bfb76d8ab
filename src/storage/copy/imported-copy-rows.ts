import type { GroupHash } from '../../domain/ingest/digest.ts';
import type { ErrorNote, ExternalId } from '../../domain/errors/error-origin.ts';
import type { ImportedEvent, ImportSource, StoredAliasOrigin } from '../../domain/imports/import.ts';

/** Parts of `CopyRows` that came from other trackers. */
export interface ImportedCopyRows {
  readonly importSources: ImportSource & { readonly knownUntil: number | null };
  readonly importedErrors: {
    readonly projectId: number;
    readonly groupHash: string;
    readonly sourceId: number;
    readonly issueId: string;
    readonly externalIds: readonly ExternalId[];
    readonly externalUrl: string | null;
    readonly assignee: string | null;
    /** Status as the last pass saw it in the tracker, its time there, and details as JSON. */
    readonly status: 0 | 1 | 2;
    readonly statusAt: number | null;
    readonly details: string | null;
    /** Time of that pass. */
    readonly putAt: number;
    /** Charts of the tracker by whole hours, and UTC days, since the epoch. */
    readonly hours: Readonly<Record<number, number>>;
    readonly days: Readonly<Record<number, number>>;
  };
  readonly groupAliases: GroupHash & {
    readonly projectId: number;
    /** Group hash of the error that it leads to. */
    readonly leadsTo: string;
    /** Grouping version of that error. */
    readonly leadsToVersion: number;
    readonly origin: StoredAliasOrigin;
    readonly weak: boolean;
    readonly createdAt: number;
    readonly endedAt: number | null;
  };
  /** Marks of events that the tracker has; group hash and time of receipt are null until the event is stored. */
  readonly knownThere: {
    readonly projectId: number;
    readonly eventId: string;
    readonly groupHash: string | null;
    readonly receivedAt: number | null;
    readonly notedAt: number;
  };
  readonly importedEvents: ImportedEvent & {
    readonly projectId: number;
    readonly groupHash: string;
    readonly importedAt: number;
  };
  readonly errorNotes: ErrorNote & { readonly projectId: number; readonly groupHash: string };
}
