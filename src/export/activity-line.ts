import { hash } from 'node:crypto';
import type { ExportedActivity } from '../domain/ports/export-source.ts';
import { shownDetails } from './error-line.ts';

/**
 * Converts an entry of an activity log. Its id is made of what is stored, so it is the same in every export. People are
 * shown by e-mail address, else username.
 */
export function activityLine({ projectId, errorId, entry, user, assignee }: ExportedActivity): object {
  const { at, kind, userId, details } = entry;
  const { status, assigneeId: _, importedId: __, userName, assigneeName, ...same } = details;
  const id = hash('sha256', JSON.stringify([errorId, at, kind, userId, details]), 'hex').slice(0, 32);
  const [by, to] = [user ?? userName, assignee ?? assigneeName];
  return {
    type: kind,
    dateCreated: new Date(at).toISOString(),
    user: by === undefined ? null : { email: by },
    data: {
      ...same,
      ...(status === undefined ? {} : { statusDetails: shownDetails(status) }),
      ...(to === undefined ? {} : { assignee: to }),
    },
    _errgate: { project_id: projectId, error_id: errorId, id },
  };
}
