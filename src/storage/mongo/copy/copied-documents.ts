import { mongo } from 'mongoose';
import type { CopyRows } from '../../copy/copy-rows.ts';
import type { StoredError } from '../../errors/stored-error.ts';
import { errorKey, eventKey, hexBinary } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import {
  errorNoteKey,
  targetVersion,
  type ErrorNoteDocument,
  type GroupAliasDocument,
  type ImportedErrorDocument,
  type ImportedEventDocument,
  type ImportSourceDocument,
  type KnownThereDocument,
} from '../documents/import-documents.ts';

/** Documents of copied history, by part. */
export const IMPORT_DOCUMENTS = {
  importSources: ({ id, knownUntil, ...source }: CopyRows['importSources']): ImportSourceDocument => ({
    _id: id,
    ...source,
    ...(knownUntil === null ? {} : { knownUntil }),
  }),
  importedErrors: (row: CopyRows['importedErrors']): ImportedErrorDocument => ({
    _id: errorKey(row.projectId, row.groupHash),
    p: row.projectId,
    s: row.sourceId,
    i: row.issueId,
    x: row.externalIds.map(({ kind, value }) => ({ k: kind, v: value })),
    xl: [...new Set(row.externalIds.map(({ value }) => value.toLowerCase()))],
    url: row.externalUrl,
    as: row.assignee,
    st: row.status,
    sat: row.statusAt,
    det: row.details,
    seen: row.putAt,
    ...(Object.keys(row.hours).length === 0 ? {} : { hr: { ...row.hours } }),
    ...(Object.keys(row.days).length === 0 ? {} : { dy: { ...row.days } }),
  }),
  groupAliases: (row: CopyRows['groupAliases']): GroupAliasDocument => ({
    _id: errorKey(row.projectId, row.groupHash),
    p: row.projectId,
    l: hexBinary(row.leadsTo),
    ...targetVersion(row.leadsToVersion),
    v: row.groupingVersion,
    o: row.origin,
    wk: row.weak,
    t: row.createdAt,
    end: row.endedAt,
  }),
  knownThere: ({ projectId, eventId, groupHash, receivedAt, notedAt }: CopyRows['knownThere']): KnownThereDocument => ({
    _id: eventKey(projectId, eventId),
    p: projectId,
    l: groupHash === null ? null : hexBinary(groupHash),
    r: receivedAt,
    t: notedAt,
  }),
  importedEvents: (row: CopyRows['importedEvents']): ImportedEventDocument => ({
    _id: eventKey(row.projectId, row.eventId),
    p: row.projectId,
    l: hexBinary(row.groupHash),
    at: row.at,
    r: row.importedAt,
    d: new mongo.Binary(row.payload),
  }),
  errorNotes: (row: CopyRows['errorNotes']): ErrorNoteDocument => ({
    _id: errorNoteKey(row.projectId, row.groupHash, row.externalId),
    p: row.projectId,
    x: row.externalId,
    a: row.author,
    at: row.at,
    m: row.text,
  }),
};

/** Returns what an error has of its tracker. */
export function importMembers({ knownBoth, imported }: StoredError): Pick<ErrorDocument, 'kb' | 'imp'> {
  return {
    ...(knownBoth === 0 ? {} : { kb: knownBoth }),
    ...(imported === null ? {} : { imp: importedCounters(imported) }),
  };
}

function importedCounters(imported: NonNullable<StoredError['imported']>): NonNullable<ErrorDocument['imp']> {
  const { baseCount, baseUsers, ownUsers, trackerCount, baseAt, knownAt, ownLastAt } = imported;
  return {
    b: baseCount,
    bu: baseUsers,
    uo: ownUsers,
    ...(trackerCount === null ? {} : { tc: trackerCount }),
    ...(baseAt === null ? {} : { at: baseAt }),
    ...(knownAt === null ? {} : { ka: knownAt }),
    ...(ownLastAt === null ? {} : { ot: ownLastAt }),
  };
}
