import { membersOfMarks } from '../updates/marks.ts';
import type { CopyRows } from '../../copy/copy-rows.ts';
import type { StoredError, StoredTime } from '../../errors/stored-error.ts';
import { ownNoteKey } from '../documents/document-keys.ts';
import type { ErrorDocument, OccurredMember, OwnNoteDocument } from '../documents/error-documents.ts';
import { termMembers } from '../updates/term-members.ts';
import { toLog } from '../updates/status-members.ts';

/** Returns the members of a copied error about its status beside plain ones, and its activity log. */
export function stateMembers(error: StoredError) {
  const { newest, passed, activity } = error;
  return {
    ...(newest === null ? {} : { act: occurred(newest) }),
    ...(passed === null ? {} : { pas: occurred(passed) }),
    ...(error.rootDetails === null ? {} : { rdet: error.rootDetails, rc: error.rootEvents, rn: error.rootUsers }),
    ...(activity.length === 0 ? {} : { log: activity.map(toLog) }),
  } satisfies Partial<ErrorDocument>;
}

/** Returns the marks of a copied error, and the terms by which searches find it. */
export function markMembers({ marks, terms }: StoredError) {
  const { unhandled } = marks;
  return { ...membersOfMarks(marks), ...(terms === null ? {} : termMembers({ ...terms, unhandled })) };
}

function occurred({ at, release }: StoredTime): OccurredMember {
  return { at, r: release };
}

export function copiedNote({ id, projectId, groupHash, userId, at, text }: CopyRows['ownNotes']): OwnNoteDocument {
  return { _id: ownNoteKey(projectId, groupHash, id), p: projectId, u: userId, at, m: text };
}
