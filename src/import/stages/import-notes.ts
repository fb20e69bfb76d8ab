import { hash } from 'node:crypto';
import type { ErrorNote } from '../../domain/imports/import.ts';
import type { ProjectContext } from '../project-context.ts';
import { noteEmpty } from '../state/project-state.ts';
import type { RemoteIssue, RemoteReport } from '../tracker-reader.ts';

const NOBODY = 'unknown';

/** Notes of an issue that were imported. */
export interface ImportedNotes {
  readonly comments: number;
  readonly reports: number;
  /** Time of the newest report, milliseconds; 0: none. */
  readonly reportedAt: number;
}

/** Imports the comments on an issue and the reports of its users, as notes. */
export async function importNotes(
  context: ProjectContext,
  issue: RemoteIssue,
  errorId: string,
): Promise<ImportedNotes> {
  const { deps, from, projectId, signal, slug } = context;
  const { reader } = from;
  const comments: readonly ErrorNote[] =
    issue.commentCount === 0
      ? []
      : (
          (await context.readOf(issue.id, 'comments', 'comments', () => reader.comments(slug, issue.id, signal))) ?? []
        ).map(({ id, author, at, text }) => ({ externalId: `comment:${id}`, author, at, text }));
  const reports: readonly ErrorNote[] =
    issue.reportCount === 0
      ? []
      : (
          (await context.readOf(issue.id, 'reports', 'user reports', () => reader.reports(slug, issue.id, signal))) ??
          []
        ).map(reportNote);
  // A list that is empty against what the issue says is read again.
  const lacks =
    (comments.length === 0 && issue.commentCount > 0) || (reports.length === 0 && (issue.reportCount ?? 0) > 0);
  if (lacks) noteEmpty(context.state, issue.id);
  if (comments.length + reports.length > 0) {
    await deps.store.putNotes(projectId, errorId, [...comments, ...reports]);
  }
  const reportedAt = reports.reduce((newest, { at }) => Math.max(newest, at), 0);
  return { comments: comments.length, reports: reports.length, reportedAt };
}

/** Reports have no id of their own. */
function reportNote({ eventId, name, email, comments, at }: RemoteReport): ErrorNote {
  const identity = JSON.stringify([eventId, email, at, comments]);
  return {
    externalId: `report:${hash('sha256', identity, 'hex').slice(0, 32)}`,
    author: reporterOf(name, email),
    at,
    text: comments,
  };
}

/** Returns the author of a note that was a report. */
export function reporterOf(name: string | null, email: string | null): string {
  const person = [name, email === null ? null : `<${email}>`].filter((part) => part !== null && part !== '').join(' ');
  return person === '' ? NOBODY : person;
}
