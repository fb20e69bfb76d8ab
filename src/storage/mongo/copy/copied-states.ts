import { membersOfMarks } from '../updates/marks.ts';
import type { CopiedTime, CopyRows } from '../../copy/copy-rows.ts';
import { ownNoteKey } from '../documents/document-keys.ts';
import type { ErrorDocument, OccurredMember, OwnNoteDocument } from '../documents/error-documents.ts';
import { termMembers } from '../updates/term-members.ts';
import { toLog } from '../updates/status-members.ts';

type StateMembers = Pick<
  ErrorDocument,
  'res' | 'act' | 'pas' | 'det' | 'rdet' | 'rc' | 'rn' | 'mt' | 'mc' | 'mn' | 'as' | 'log'
>;

type MarkMembers = Pick<ErrorDocument, 'reg' | 'esc' | 'um' | 'ask' | 'uh' | 'tm'>;

/** Returns the members of a copied error about its status, its assignee and its activity log. */
export function stateMembers(error: CopyRows['errors']): StateMembers {
  const { newest, passed, activity } = error;
  return {
    res: error.resolvedAt,
    ...(newest === null ? {} : { act: occurred(newest) }),
    ...(passed === null ? {} : { pas: occurred(passed) }),
    det: error.statusDetails,
    ...(error.rootDetails === null ? {} : { rdet: error.rootDetails, rc: error.rootEvents, rn: error.rootUsers }),
    mt: error.mutedUntil,
    mc: error.mutedEvents,
    mn: error.mutedUsers,
    as: error.assigneeId,
    ...(activity.length === 0 ? {} : { log: activity.map(toLog) }),
  };
}

/** Returns the marks of a copied error, and the terms by which searches find it. */
export function markMembers({ marks, terms }: CopyRows['errors']): MarkMembers {
  const { unhandled } = marks;
  return { ...membersOfMarks(marks), ...(terms === null ? {} : termMembers({ ...terms, unhandled })) };
}

function occurred({ at, release }: CopiedTime): OccurredMember {
  return { at, r: release };
}

export function copiedNote({ id, projectId, groupHash, userId, at, text }: CopyRows['ownNotes']): OwnNoteDocument {
  return { _id: ownNoteKey(projectId, groupHash, id), p: projectId, u: userId, at, m: text };
}
