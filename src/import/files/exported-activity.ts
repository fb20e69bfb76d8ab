import {
  ACTIVITY_KINDS,
  UNMUTE_REASONS,
  type ActivityDetails,
  type ActivityEntry,
  type StatusDetails,
} from '../../domain/errors/error-state.ts';
import { readTrackerDetails } from '../../domain/imports/imported-details.ts';
import type { ImportStore } from '../../domain/ports/stores/import-store.ts';
import { MAX_ISSUE_TITLE, MAX_ISSUE_URL } from '../../domain/projects/project-links.ts';
import type { ErrorStatus } from '../../domain/errors/error-status.ts';
import { isRecord } from '../../lib/own-property.ts';
import type { ExportRows, KnownError } from './export-rows.ts';
import { HASH, NUMBER } from './exported-error.ts';
import { type FileRow, formOf, memberOf, textOf, timeOf } from './row-values.ts';
import { Waiting } from './waiting-rows.ts';

/** Maximum characters of the name of an access token. */
const MAX_AGENT = 255;
/** Maximum errors that one entry names. */
const MAX_ERRORS = 100;

/**
 * Takes activity logs over: entries keep their ids of the export, so that each is added once. Returns their number.
 * People who are no members here keep their names. Throws `bad_request` for a row without an id.
 */
export async function takeActivity(store: Pick<ImportStore, 'putActivity'>, rows: ExportRows): Promise<number> {
  const waiting = new Waiting<KnownError, ActivityEntry>(({ context, errorId }, entries) =>
    store.putActivity(context.projectId, errorId, entries),
  );
  let count = 0;
  await rows.eachUncounted('activity', async (row) => {
    const own = memberOf(row, '_errgate');
    const importedId = formOf(own, 'id', HASH);
    const what = `entry ${importedId} of an activity log`;
    const error = rows.errorOf(own, what);
    if (error === null) return;
    const kind = ACTIVITY_KINDS.find((one) => one === row['type']);
    const at = timeOf(row, 'dateCreated');
    if (kind === undefined || at === null) {
      rows.leaveOut(what, 'its type or time is unknown');
      return;
    }
    count += 1;
    const data = memberOf(row, 'data');
    const members = await error.context.memberIds();
    const find = (name: string | null) => (name === null ? undefined : members.get(name.toLowerCase()));
    const [user, assignee] = [textOf(memberOf(row, 'user'), 'email', 254), textOf(data, 'assignee', 254)];
    const [userId, assigneeId] = [find(user), find(assignee)];
    const details: ActivityDetails = {
      ...detailsOf(kind, data, rows),
      ...(assigneeId === undefined ? {} : { assigneeId }),
      ...(assignee === null || assigneeId !== undefined ? {} : { assigneeName: assignee }),
      ...(user === null || userId !== undefined ? {} : { userName: user }),
      importedId,
    };
    await waiting.add(error, { at, kind, userId: userId ?? null, details });
  });
  await waiting.flush();
  return count;
}

/** Returns the particulars with the ids that errors and notes have here. */
function detailsOf(kind: ActivityEntry['kind'], data: FileRow, rows: ExportRows): ActivityDetails {
  const status = statusOf(kind, data);
  const [release, noteId] = [textOf(data, 'release', 250), textOf(data, 'noteId', 80)];
  const reason = UNMUTE_REASONS.find((one) => one === data['reason']);
  const [source, issueId] = [textOf(data, 'source', 64), textOf(data, 'issueId', 200)];
  const [issueUrl, issueTitle] = [textOf(data, 'issueUrl', MAX_ISSUE_URL), textOf(data, 'issueTitle', MAX_ISSUE_TITLE)];
  const agent = textOf(data, 'agent', MAX_AGENT);
  const errors: unknown = data['errorIds'];
  const errorIds = Array.isArray(errors)
    ? errors.slice(0, MAX_ERRORS).flatMap((id) => rows.errors.get(String(id))?.errorId ?? [])
    : undefined;
  return {
    ...(status === null ? {} : { status }),
    ...(kind === 'regressed' ? { release } : {}),
    ...(reason === undefined ? {} : { reason }),
    // Notes of people there are imported ones here.
    ...(noteId === null ? {} : { noteId: NUMBER.test(noteId) ? `imported:own:${noteId}` : noteId }),
    ...(errorIds === undefined ? {} : { errorIds }),
    ...(source === null ? {} : { source }),
    ...(issueId === null ? {} : { issueId }),
    ...(issueUrl === null ? {} : { issueUrl }),
    ...(issueTitle === null ? {} : { issueTitle }),
    ...(agent === null ? {} : { agent }),
  };
}

function statusOf(kind: ActivityEntry['kind'], data: FileRow): StatusDetails | null {
  const given = data['statusDetails'];
  if (!isRecord(given)) return null;
  const status: ErrorStatus = kind === 'ignored' || kind === 'unmuted' ? 'ignored' : 'resolved';
  return readTrackerDetails(status, given, null).details;
}
