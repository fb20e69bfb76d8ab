import type { Connection, mongo } from 'mongoose';
import type { ClientKey, TrackingSettings } from '../../../domain/projects/tracking-settings.ts';
import type { StoredSession, StoredToken, StoredUser } from '../../records/kinds/account-kinds.ts';
import type { GrantedRole } from '../../../domain/projects/identity.ts';
import type { StoredGroup, StoredGroupMember } from '../../records/kinds/group-kinds.ts';
import type { KindName } from '../../records/kinds.ts';
import * as alerts from '../documents/alert-documents.ts';
import * as plain from '../documents/command-documents.ts';
import { ERROR_INDEXES } from '../documents/error-indexes.ts';
import type { EventBlockDocument } from '../documents/block-document.ts';
import type * as imports from '../documents/import-documents.ts';
import * as batched from '../documents/documents.ts';
import * as errors from '../documents/error-documents.ts';
import type * as links from '../documents/link-documents.ts';
import type * as sessions from '../documents/release-documents.ts';
import { RECORD_COLLECTIONS } from './record-collections.ts';
import type { DocumentOf, RecordDocument } from '../documents/record-documents.ts';
import { FILES_BUCKET, type FileDocument, type FilePartDocument } from '../documents/file-documents.ts';
import { retryConflicts } from './retry-conflicts.ts';

/** Key of the index of outcomes by project and hour. */
export const OUTCOMES_BY_PROJECT = { p: 1, hr: 1 } as const;

/** Documents of kinds that also other code than the engine of records reads. */
interface ReadByMembers {
  readonly users: DocumentOf<StoredUser, 'id'>;
  readonly tokens: DocumentOf<StoredToken, 'id'>;
  readonly grantedRoles: GrantedRole & { readonly _id: string };
  readonly webSessions: DocumentOf<StoredSession, 'hash'>;
  readonly settings: DocumentOf<TrackingSettings, 'projectId'>;
  /** `lower`: the path in lower case. */
  readonly groups: DocumentOf<StoredGroup, 'id'> & { readonly lower: string };
  readonly groupMembers: StoredGroupMember & { readonly _id: string };
  /** `ensured`: id of the project, on the key created because the project had no active one. */
  readonly clientKeys: DocumentOf<ClientKey, 'id'> & { readonly ensured?: number };
}

/** Document type of each collection. */
interface Documents extends Readonly<Record<Exclude<KindName, keyof ReadByMembers>, RecordDocument>>, ReadByMembers {
  readonly control: plain.ControlDocument;
  readonly counters: batched.CounterDocument;
  readonly projects: plain.ProjectDocument;
  readonly redirects: plain.ProjectRedirectDocument;
  readonly formerAliases: plain.FormerAliasDocument;
  readonly removedProjects: plain.RemovedProjectDocument;
  readonly members: plain.MemberDocument;
  readonly forwardStates: plain.ForwardStateDocument;
  readonly events: batched.EventDocument;
  readonly eventBlocks: EventBlockDocument;
  readonly ownNotes: errors.OwnNoteDocument;
  readonly errorUsers: errors.ErrorUserDocument;
  readonly userNames: errors.UserNameDocument;
  readonly deletedErrors: errors.DeletedErrorDocument;
  readonly discardedHashes: errors.DiscardedHashDocument;
  readonly discardedGroups: plain.DiscardedGroupDocument;
  readonly errorHours: errors.ErrorHoursDocument;
  readonly errorTags: errors.ErrorTagsDocument;
  readonly errors: errors.ErrorDocument;
  readonly outcomes: batched.OutcomeDocument;
  readonly sessionRows: sessions.SessionRowDocument;
  readonly releaseUsers: sessions.ReleaseUserDocument;
  readonly releaseHours: sessions.ReleaseHoursDocument;
  readonly releases: sessions.ReleaseDocument;
  readonly eventReports: sessions.EventReportsDocument;
  readonly importSources: imports.ImportSourceDocument;
  readonly importedErrors: imports.ImportedErrorDocument;
  readonly groupAliases: imports.GroupAliasDocument;
  readonly knownThere: imports.KnownThereDocument;
  readonly importedEvents: imports.ImportedEventDocument;
  readonly errorNotes: imports.ErrorNoteDocument;
  readonly alertFacts: alerts.FactDocument;
  readonly alertDeliveries: alerts.DeliveryDocument;
  readonly linkedIssues: links.LinkedIssueDocument;
  readonly savedViews: links.SavedViewsDocument;
  readonly slots: batched.SlotDocument;
  readonly gateways: plain.GatewayDocument;
  readonly files: FileDocument;
  readonly fileParts: FilePartDocument;
}

type Member<T> = keyof T & string;

/** Named index; created only by set-up and migration. */
interface IndexSpec<T> {
  readonly name: string;
  readonly key: { readonly [M in Member<T> | `${Member<T>}.${string}`]?: 1 | -1 };
  readonly unique?: true;
  /** Condition of documents in the index; a query must repeat it to use the index. */
  readonly partialFilterExpression?: { readonly [M in Member<T> | `${Member<T>}.${string}`]?: unknown };
}

interface CollectionSpec<T> {
  readonly name: string;
  /**
   * Length in bytes of an `_id` that begins with the project's four bytes, where `p` has the project too. Then
   * `{p: 1, _id: 1}` can be the shard key. Null elsewhere.
   */
  readonly keyBytes: T extends { readonly p: number } ? number : null;
  readonly indexes: readonly IndexSpec<T>[];
}

/** At most one key of a project is the one that `ensureActiveKey` created. */
const ENSURED = {
  name: 'ensured',
  key: { ensured: 1 },
  unique: true,
  partialFilterExpression: { ensured: { $exists: true } },
} as const;

/**
 * All collections of the store with all indexes. Each has a part in `copy/copy-rows.ts`, or is left out there on
 * purpose. Deleting a project sweeps those with `keyBytes`, in this order.
 */
export const COLLECTIONS = {
  control: { name: plain.CONTROL_COLLECTION, keyBytes: null, indexes: [] },
  counters: { name: 'counters', keyBytes: null, indexes: [] },
  ...RECORD_COLLECTIONS,
  // Finds the projects that take events.
  settings: { ...RECORD_COLLECTIONS.settings, indexes: [{ name: 'by_use', key: { active: 1, integrated: 1 } }] },
  clientKeys: { ...RECORD_COLLECTIONS.clientKeys, indexes: [...RECORD_COLLECTIONS.clientKeys.indexes, ENSURED] },
  projects: { name: 'projects', keyBytes: null, indexes: [{ name: 'by_path', key: { lower: 1 }, unique: true }] },
  redirects: { name: 'redirects', keyBytes: null, indexes: [{ name: 'of_project', key: { projectId: 1 } }] },
  formerAliases: { name: 'aliases', keyBytes: null, indexes: [{ name: 'of_project', key: { projectId: 1 } }] },
  removedProjects: { name: 'removedprojects', keyBytes: null, indexes: [] },
  members: {
    name: 'members',
    keyBytes: null,
    indexes: [
      { name: 'of_project', key: { projectId: 1, userId: 1 } },
      { name: 'of_user', key: { userId: 1, projectId: 1 } },
    ],
  },
  forwardStates: {
    name: 'forwardstates',
    keyBytes: null,
    indexes: [{ name: 'of_project', key: { projectId: 1, _id: 1 } }],
  },
  events: {
    name: 'events',
    keyBytes: 20,
    indexes: [
      { name: 'of_error', key: { p: 1, l: 1, at: -1, _id: -1 }, partialFilterExpression: batched.WITH_PAYLOAD },
      // Pruning walks from the oldest.
      { name: 'by_receipt', key: { r: 1 } },
      // Few entries: most payloads are in blocks.
      { name: 'unpacked', key: { i: 1, r: 1 }, partialFilterExpression: batched.UNPACKED },
    ],
  },
  // Checking for blocks without events walks from the oldest.
  eventBlocks: { name: 'eventblocks', keyBytes: 20, indexes: [{ name: 'by_time', key: { t: 1, _id: 1 } }] },
  // Finds the errors of a user.
  errorUsers: { name: 'errorusers', keyBytes: 32, indexes: [{ name: 'of_user', key: { p: 1, h: 1 } }] },
  // Pruning walks from the oldest.
  userNames: { name: 'usernames', keyBytes: 28, indexes: [{ name: 'by_day', key: { d: 1 } }] },
  deletedErrors: {
    name: 'deletederrors',
    keyBytes: 20,
    indexes: [
      // Few entries: errors that are being deleted.
      { name: 'unfinished', key: { busy: 1, at: 1 }, partialFilterExpression: errors.UNFINISHED },
      { name: 'by_time', key: { at: 1 } },
    ],
  },
  discardedHashes: { name: 'discardedhashes', keyBytes: 20, indexes: [{ name: 'of_group', key: { p: 1, g: 1 } }] },
  discardedGroups: {
    name: 'discardedgroups',
    keyBytes: null,
    indexes: [{ name: 'of_project', key: { projectId: 1, _id: 1 } }],
  },
  errorHours: { name: 'errorhours', keyBytes: 24, indexes: [{ name: 'by_day', key: { d: 1 } }] },
  // Finds the errors with a tag.
  errorTags: { name: 'errortags', keyBytes: 20, indexes: [{ name: 'by_term', key: { p: 1, x: 1 } }] },
  errors: { name: 'errors', keyBytes: 20, indexes: ERROR_INDEXES },
  outcomes: {
    name: 'outcomes',
    keyBytes: 20,
    indexes: [
      { name: 'by_hour', key: { hr: 1 } },
      // Finds the last hours of many projects at once.
      { name: 'by_project', key: OUTCOMES_BY_PROJECT },
    ],
  },
  // Pruning walks from the oldest.
  sessionRows: { name: 'sessionrows', keyBytes: 21, indexes: [{ name: 'by_hour', key: { hr: 1 } }] },
  releaseUsers: { name: 'releaseusers', keyBytes: 33, indexes: [] },
  releaseHours: { name: 'releasehours', keyBytes: 24, indexes: [{ name: 'by_day', key: { d: 1 } }] },
  releases: {
    name: 'releases',
    keyBytes: 20,
    indexes: [
      { name: 'by_first_seen', key: { p: 1, e: 1, first: -1, _id: -1 } },
      { name: 'by_last_seen', key: { last: 1 } },
    ],
  },
  eventReports: {
    name: 'eventreports',
    keyBytes: 20,
    indexes: [{ name: 'by_time', key: { p: 1, rcv: -1, _id: -1 } }],
  },
  importSources: {
    name: 'importsources',
    keyBytes: null,
    indexes: [
      {
        name: 'by_project',
        key: { projectId: 1, kind: 1, url: 1, organization: 1, project: 1 },
        unique: true,
      },
    ],
  },
  importedErrors: {
    name: 'importederrors',
    keyBytes: 20,
    indexes: [
      // Issues that a pass did not see.
      { name: 'of_source', key: { p: 1, s: 1, seen: 1, i: 1 } },
      // Errors by a former id, in one project or in all.
      { name: 'by_former_id', key: { xl: 1, p: 1 } },
    ],
  },
  groupAliases: { name: 'groupaliases', keyBytes: 20, indexes: [{ name: 'of_error', key: { p: 1, l: 1, _id: 1 } }] },
  knownThere: {
    name: 'knownthere',
    keyBytes: 20,
    indexes: [
      // Counts those of an error, and finds those that wait.
      { name: 'of_group_hash', key: { p: 1, l: 1, r: 1 } },
      { name: 'by_time', key: { t: 1 } },
    ],
  },
  importedEvents: {
    name: 'importedevents',
    keyBytes: 20,
    indexes: [
      { name: 'of_error', key: { p: 1, l: 1, at: -1, _id: -1 } },
      { name: 'by_import', key: { r: 1 } },
    ],
  },
  errorNotes: { name: 'errornotes', keyBytes: 32, indexes: [] },
  ownNotes: { name: 'ownnotes', keyBytes: 24, indexes: [] },
  alertFacts: {
    name: 'alertfacts',
    keyBytes: 20,
    indexes: [
      { name: 'by_place', key: { seq: 1 }, partialFilterExpression: alerts.WITH_PLACE },
      // Few entries: each fact gets its place at once.
      { name: 'waiting', key: { w: 1 }, partialFilterExpression: alerts.WITHOUT_PLACE },
      { name: 'of_error', key: { p: 1, e: 1, seq: -1 } },
    ],
  },
  alertDeliveries: {
    name: 'alertdeliveries',
    keyBytes: null,
    indexes: [
      { name: 'of_project', key: { projectIds: 1, at: -1, _id: -1 } },
      { name: 'by_time', key: { at: 1 } },
      { name: 'failed', key: { state: 1, projectIds: 1 }, partialFilterExpression: alerts.FAILED },
    ],
  },
  linkedIssues: { name: 'linkedissues', keyBytes: 32, indexes: [{ name: 'by_url', key: { p: 1, url: 1 } }] },
  savedViews: { name: 'savedviews', keyBytes: null, indexes: [{ name: 'of_project', key: { projectId: 1 } }] },
  slots: {
    name: 'slots',
    keyBytes: null,
    indexes: [{ name: 'by_journal', key: { j: 1 }, unique: true, partialFilterExpression: { j: { $exists: true } } }],
  },
  gateways: { name: 'gateways', keyBytes: null, indexes: [] },
  // Collections of GridFS, with the indexes of its specification.
  files: {
    name: `${FILES_BUCKET}.files`,
    keyBytes: null,
    indexes: [{ name: 'filename_1_uploadDate_1', key: { filename: 1, uploadDate: 1 } }],
  },
  fileParts: {
    name: `${FILES_BUCKET}.chunks`,
    keyBytes: null,
    indexes: [{ name: 'files_id_1_n_1', key: { files_id: 1, n: 1 }, unique: true }],
  },
} as const satisfies { readonly [C in keyof Documents]: CollectionSpec<Documents[C]> };

export type CollectionName = keyof Documents;

/** Collections whose keys begin with a project. */
export type KeyedCollection = {
  [C in CollectionName]: (typeof COLLECTIONS)[C]['keyBytes'] extends number ? C : never;
}[CollectionName];

export const KEYED_COLLECTIONS = (Object.keys(COLLECTIONS) as CollectionName[]).filter(
  (name): name is KeyedCollection => COLLECTIONS[name].keyBytes !== null,
);

export type Collections = { readonly [C in CollectionName]: mongo.Collection<Documents[C]> };

/**
 * Opens the collections through the driver: mongoose's models silently drop members that are not in a schema. Repeats a
 * write of one document that the server aborted for another one.
 */
export function openCollections({ db }: Connection): Collections {
  if (db === undefined) throw new Error('the connection is not open');
  const opened = Object.entries(COLLECTIONS).map(([key, { name }]) => [key, retryConflicts(db.collection(name))]);
  return Object.fromEntries(opened) as Collections;
}
