import { copiedNote, markMembers, stateMembers } from './copied-states.ts';
import { mongo } from 'mongoose';
import { AppError } from '../../../domain/app-error.ts';
import { textsOf } from '../../../domain/errors/error-texts.ts';
import type { CopyPart, CopyRows, CopyTarget } from '../../copy/copy-rows.ts';
import { ALERT_DOCUMENTS, finishAlerts } from './copied-alerts.ts';
import { afterStep } from '../updates/users-steps.ts';
import { batchCollections } from '../batch/mongo-collections.ts';
import { putFile } from '../files/file-area.ts';
import type { MongoContext } from '../engine/context.ts';
import { blockDocument, blockKey, blockRef } from '../documents/block-document.ts';
import {
  errorHoursKey,
  errorKey,
  errorUserKey,
  eventKey,
  hexBinary,
  outcomeKey,
  userNameKey,
  type Binary,
} from '../documents/document-keys.ts';
import type { EventDocument } from '../documents/documents.ts';
import { TO_RANK, type ErrorDocument, type TagKeyCounts } from '../documents/error-documents.ts';
import { firstSeen, lastSeen, plainMembers } from '../documents/error-members.ts';
import { tagHash, tagTerm, valueTerms } from '../documents/tag-terms.ts';
import { IMPORT_DOCUMENTS, importMembers } from './copied-documents.ts';
import { RECORD_DOCUMENTS } from '../documents/record-documents.ts';
import { LINK_DOCUMENTS } from './copied-links.ts';
import { MongoMerges } from '../merging/mongo-merges.ts';
import { forwardStateKey, memberKey } from '../documents/command-documents.ts';
import { MAJORITY } from '../engine/operation-options.ts';
import {
  releaseHoursKey,
  releaseKey,
  releaseUserKey,
  scopeBinary,
  sessionRowKey,
  shortCounts,
} from '../documents/release-documents.ts';

/** Marks an unfinished copy in the store, with the source's id. Removed when the copy is complete. */
const COPY_MARK = 'copy_in_progress';
/** Mark of copied events and users: no journal ever has this slot, so no replay takes them for its own. */
const NO_BATCH = { s: -1, n: 0 } as const;
const NO_GROUP_HASH = '0'.repeat(32);

type Doc = mongo.Document & { readonly _id: number | string | Binary };

const DOCUMENTS: { readonly [P in CopyPart]: (row: CopyRows[P]) => Doc } = {
  counters: ({ name, last }) => ({ _id: name, next: last }),
  projects: ({ id, imports, aliases, knownUntil, marks, ...project }) => ({
    _id: id,
    ...project,
    lower: project.path.toLowerCase(),
    ...(imports ? { imports } : {}),
    ...(aliases ? { aliases } : {}),
    ...(knownUntil === null ? {} : { knownUntil }),
    ...(marks ? { marksSince: 0 } : {}),
  }),
  redirects: ({ path, projectId }) => ({ _id: path.toLowerCase(), projectId }),
  members: (member) => ({ _id: memberKey(member.projectId, member.userId), ...member }),
  forwardStates: (state) => ({ _id: forwardStateKey(state), ...state }),
  errors: (error): ErrorDocument => ({
    _id: errorKey(error.projectId, error.groupHash),
    ...plainMembers(error),
    first: firstSeen(error.first),
    last: lastSeen({ ...error.last, ...textsOf(error) }, error.searchText),
    into: error.mergedInto,
    env: [...error.environments],
    rel: [...error.releases],
    w: {},
    ...stateMembers(error),
    ...importMembers(error),
    ...markMembers(error),
    ...TO_RANK,
    ...(error.usersStep === 0 ? {} : afterStep(error.usersStep)),
  }),
  ownNotes: copiedNote,
  userNames: ({ projectId, nameHash, userHash, day }) => ({
    _id: userNameKey(projectId, nameHash, userHash),
    p: projectId,
    d: day,
  }),
  discardedGroups: ({ id, ...group }) => ({ _id: id, ...group }),
  discardedHashes: ({ projectId, groupHash, discardedId }) => ({
    _id: errorKey(projectId, groupHash),
    p: projectId,
    g: discardedId,
  }),
  errorUsers: ({ projectId, groupHash, userHash }) => ({
    _id: errorUserKey(projectId, groupHash, userHash),
    p: projectId,
    ...NO_BATCH,
    h: hexBinary(userHash),
  }),
  errorHours: ({ projectId, groupHash, day, hours }) => ({
    _id: errorHoursKey(projectId, groupHash, day),
    p: projectId,
    d: day,
    h: { ...hours },
    w: {},
  }),
  errorTags: ({ projectId, groupHash, tags }) => {
    const t: Record<string, TagKeyCounts> = {};
    const x = tags.flatMap(({ key, values }) => [
      tagTerm(key, null),
      ...values.flatMap(({ value }) => valueTerms(key, value)),
    ]);
    for (const { key, total, values } of tags) {
      const v = Object.fromEntries(values.map(({ value, count }) => [tagHash(value), { v: value, c: count }]));
      t[tagHash(key)] = { k: key, n: total, v };
    }
    return { _id: errorKey(projectId, groupHash), p: projectId, t, x: [...new Set(x)], w: {} };
  },
  outcomes: ({ projectId, hour, keyId, category, outcome, reason, quantity }) => ({
    _id: outcomeKey(projectId, hour, `${keyId} ${category} ${outcome} ${reason}`),
    p: projectId,
    hr: hour,
    k: keyId,
    c: category,
    o: outcome,
    r: reason,
    q: quantity,
    w: {},
  }),
  releases: (release) => ({
    _id: releaseKey(release),
    p: release.projectId,
    e: release.environment,
    r: release.release,
    first: release.firstSeen,
    last: release.lastSeen,
    ev: release.events,
    u: release.users,
    cu: release.crashedUsers,
    c: shortCounts(release, ''),
    w: {},
  }),
  releaseHours: ({ day, hours, ...scope }) => ({
    _id: releaseHoursKey(scope, day),
    p: scope.projectId,
    d: day,
    h: Object.fromEntries(Object.entries(hours).map(([hour, counts]) => [hour, shortCounts(counts, '')])),
    w: {},
  }),
  releaseUsers: ({ userHash, crashed, ...scope }) => ({
    _id: releaseUserKey(scope, userHash, crashed),
    p: scope.projectId,
    ...NO_BATCH,
  }),
  sessionRows: ({ sessionId, kind, hour, ended, ...scope }) => ({
    _id: sessionRowKey(scope.projectId, sessionId, kind),
    p: scope.projectId,
    hr: hour,
    k: scopeBinary(scope),
    t: ended,
    ...NO_BATCH,
  }),
  eventReports: ({ projectId, eventId, reports }) => ({
    _id: eventKey(projectId, eventId),
    p: projectId,
    rcv: Math.max(...reports.map(({ receivedAt }) => receivedAt)),
    r: Object.fromEntries(reports.map(({ id, ...content }) => [id, content])),
    w: {},
  }),
  ...IMPORT_DOCUMENTS,
  ...ALERT_DOCUMENTS,
  ...LINK_DOCUMENTS,
  ...RECORD_DOCUMENTS,
  eventBlocks: ({ id, ...block }) => blockDocument(copiedBlockId(id), block, { ...NO_BATCH, t: 0 }),
  events: ({ projectId, eventId, receivedAt, removedFrom, stored }) => ({
    _id: eventKey(projectId, eventId),
    p: projectId,
    l: hexBinary(stored?.groupHash ?? removedFrom ?? NO_GROUP_HASH),
    v: stored?.groupingVersion ?? 0,
    u: null,
    at: stored?.at ?? receivedAt,
    r: receivedAt,
    ...NO_BATCH,
    ...(stored === null ? {} : payloadOf(projectId, stored.payload)),
  }),
};

/** Returns the id of a copied block: its number in the source. Ids of other blocks are hashes. */
function copiedBlockId(id: number): string {
  return id.toString(16).padStart(32, '0');
}

function payloadOf(projectId: number, payload: Uint8Array | number): Pick<EventDocument, 'd' | 'i'> {
  if (typeof payload === 'number') return { d: blockRef(blockKey(projectId, copiedBlockId(payload))) };
  return { d: new mongo.Binary(payload), i: 1 };
}

/** Creates the target of a copy in a MongoDB store; closing it closes the context's connection. */
export function createCopyTarget(context: MongoContext): CopyTarget {
  const { connection, collections, now } = context;
  const collection = (part: CopyPart) => collections[part] as unknown as mongo.Collection<Doc>;
  const marks = collections.meta;
  return {
    async begin(sourceId) {
      const mark = await marks.findOne({ _id: COPY_MARK });
      if (mark?.value === sourceId) return;
      const used =
        mark !== null ||
        (await collections.users.countDocuments({})) + (await collections.projects.countDocuments({})) > 0;
      if (used) throw new AppError('conflict', 'the target store is in use; specify an empty database');
      await marks.updateOne(
        { _id: COPY_MARK },
        { $set: { value: sourceId } },
        { upsert: true, writeConcern: MAJORITY },
      );
    },
    async write(part, rows) {
      const toDocument = DOCUMENTS[part];
      const operations = rows.map(toDocument).map((document) => ({
        replaceOne: {
          filter: { _id: document._id, ...('p' in document ? { p: document['p'] as number } : {}) },
          replacement: document,
          upsert: true,
        },
      }));
      await collection(part).bulkWrite(operations, {
        ordered: false,
        writeConcern: MAJORITY,
      });
    },
    async putFile(name, content) {
      await putFile(context, name, content);
    },
    async count(part) {
      const all = await collection(part).countDocuments({});
      return part === 'meta' && (await marks.findOne({ _id: COPY_MARK })) !== null ? all - 1 : all;
    },
    async finish() {
      // Displayed rows of merged errors are not copied but computed.
      await new MongoMerges(batchCollections(connection), now).rollUpAll();
      await finishAlerts({ collections });
      // Ranks are not copied either. Batches look for discarded groups only in projects with deletions.
      await collections.errors.updateMany({ rk: { $exists: false } }, { $set: { dq: 1 } }, { writeConcern: MAJORITY });
      const dropping = await collections.discardedGroups.distinct('projectId');
      const touched = { _id: { $in: dropping } };
      await collections.projects.updateMany(touched, { $set: { deletions: 1 } }, { writeConcern: MAJORITY });
      await marks.deleteOne({ _id: COPY_MARK }, { writeConcern: MAJORITY });
    },
    close: () => connection.close(),
  };
}

/** Throws `conflict` while a copy into this store is incomplete. */
export async function requireCompleteCopy({ collections }: Pick<MongoContext, 'collections'>): Promise<void> {
  if ((await collections.meta.findOne({ _id: COPY_MARK })) !== null) {
    throw new AppError(
      'conflict',
      'copying into this store was interrupted; run `errgate copy-store` again to complete it',
    );
  }
}
