import { createHash } from 'node:crypto';
import type { ReferenceKind, SourceKind, StoredAliasOrigin } from '../../../domain/imports/import.ts';
import type { StatusCode } from '../../errors/error-status.ts';
import { IMPORTED_GROUPING_VERSION } from '../../imports/imported-group-hash.ts';
import type { Binary } from './document-keys.ts';
import { key } from './document-keys.ts';

/** Tracker's project whose history goes into a project. */
export interface ImportSourceDocument {
  readonly _id: number;
  readonly projectId: number;
  readonly kind: SourceKind;
  readonly url: string;
  readonly organization: string;
  readonly project: string;
  readonly externalProjectId: string | null;
  readonly createdAt: number;
  readonly bothReceiveUntil: number | null;
  /** Greatest time up to which the tracker got every event; absent: none. */
  readonly knownUntil?: number;
}

/** Events of an issue by hour or day; as members so that a bucket is set without reading the others. */
export type Buckets = Readonly<Record<string, number>>;

/** What an imported error has beside its row in `errors`. */
export interface ImportedErrorDocument {
  /** Id of the error's document. */
  readonly _id: Binary;
  readonly p: number;
  /** Id of the source. */
  readonly s: number;
  /** Id of the issue there. */
  readonly i: string;
  /** Names of the issue as they were written. */
  readonly x: readonly { readonly k: ReferenceKind; readonly v: string }[];
  /** The same in lower case, for look-ups. */
  readonly xl: readonly string[];
  /** Its page there. */
  readonly url: string | null;
  /** E-mail address of the assignee there. */
  readonly as: string | null;
  /** Status that was last taken over from the tracker, its time there, and its details as JSON. */
  readonly st: StatusCode;
  readonly sat: number | null;
  readonly det: string | null;
  /** Time of the last pass that saw it. */
  readonly seen: number;
  /** Events per hour there, by whole hours since the epoch; absent: not taken yet. */
  readonly hr?: Buckets;
  /** Events per UTC day there, by whole days since the epoch. */
  readonly dy?: Buckets;
}

/** Group hash whose next events are counted in an imported error, or in one of events that came before their map. */
export interface GroupAliasDocument {
  /** Project and group hash, 20 bytes: the `_id` that an error of its own would have. */
  readonly _id: Binary;
  readonly p: number;
  /** Group hash of the error that it leads to. */
  readonly l: Binary;
  /** Grouping version of that error, which may not be stored yet; absent: it is an imported one. */
  readonly lv?: number;
  /** Grouping version of the alias. */
  readonly v: number;
  readonly o: StoredAliasOrigin;
  /** True: the key is made of a message or a fallback alone. */
  readonly wk: boolean;
  readonly t: number;
  /** Time of its end; null while it leads to the error. */
  readonly end: number | null;
}

/** Returns the member for the grouping version of the error that an alias leads to. */
export function targetVersion(version: number): Pick<GroupAliasDocument, 'lv'> {
  return version === IMPORTED_GROUPING_VERSION ? {} : { lv: version };
}

/** Live event that the tracker has as well. Outlives the event. */
export interface KnownThereDocument {
  /** Project and event id, 20 bytes. */
  readonly _id: Binary;
  readonly p: number;
  /**
   * Group hash and time of receipt of the event; null while the row waits for it. Time 0: the event is known by its time
   * already.
   */
  readonly l: Binary | null;
  readonly r: number | null;
  /** Time of the mark. */
  readonly t: number;
}

/** Body of an event that the tracker still had. */
export interface ImportedEventDocument {
  /** Project and event id, 20 bytes. */
  readonly _id: Binary;
  readonly p: number;
  /** Group hash of the imported error. */
  readonly l: Binary;
  readonly at: number;
  /** Time of the import, by which retention goes. */
  readonly r: number;
  readonly d: Binary;
}

/** Comment of the tracker on an error. */
export interface ErrorNoteDocument {
  /** Project, group hash and a hash of the note's id there, 32 bytes. */
  readonly _id: Binary;
  readonly p: number;
  /** Id in the tracker. */
  readonly x: string;
  readonly a: string;
  readonly at: number;
  readonly m: string;
}

export function errorNoteKey(projectId: number, groupHash: string, externalId: string): Binary {
  return key(projectId, groupHash + createHash('sha256').update(externalId).digest('hex').slice(0, 24), 28);
}

/** Returns the range of the keys of an error's notes. */
export function errorNoteRange(projectId: number, groupHash: string): { $gte: Binary; $lte: Binary } {
  return { $gte: key(projectId, groupHash + '0'.repeat(24), 28), $lte: key(projectId, groupHash + 'f'.repeat(24), 28) };
}
