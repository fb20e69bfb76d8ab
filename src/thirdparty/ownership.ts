import type { ThirdpartyEvent } from '../schemas/thirdparty/event.ts';
import type { ThirdpartyIssue } from '../schemas/thirdparty/issue.ts';
import { listIssues } from './endpoints/list-issues.ts';
import { getProject } from './endpoints/projects.ts';
import { projectOfEvent } from './map/event.ts';
import { refused, unknownThing } from './http/refused.ts';
import { hostOf, type TrackerSession } from './session.ts';

/** Reads the project id from its list of issues, which needs no further scope; null for an empty list. */
async function idFromIssues(session: TrackerSession): Promise<string | null> {
  const question = { query: '', sort: 'last_seen', environment: null, limit: 1, cursor: null } as const;
  const { rows } = await listIssues(session, question);
  const id = rows[0]?.project?.id;
  return id === undefined || id === null ? null : String(id);
}

/**
 * Returns the tracker's project id, looked up once by slugs when missing in the settings. Null while the tracker
 * reports none.
 */
async function projectIdOf(session: TrackerSession): Promise<string | null> {
  if (session.projectId !== null) return session.projectId;
  const { dialect } = session;
  if (dialect.projectId !== null) return dialect.projectId;
  const found = await getProject(session, session.organization, session.project);
  if (found.kind === 'found') {
    dialect.projectId = found.project.id;
  } else if (found.reply.status === 403) {
    // A token may have the scope for errors but not for projects.
    dialect.projectId = await idFromIssues(session);
  } else {
    throw refused(found.reply, hostOf(session), { doing: 'show the project', scope: 'project:read' });
  }
  return dialect.projectId;
}

/** Throws `not_found` for an issue of another project: tokens often allow several projects, and ids are guessable. */
export async function requireOwnIssue(session: TrackerSession, issue: ThirdpartyIssue): Promise<void> {
  const { id, slug } = issue.project ?? {};
  const expected = await projectIdOf(session);
  if (id !== undefined && id !== null) {
    if (expected === String(id)) return;
  } else if (slug === session.project) {
    // Very old trackers send only the slug.
    return;
  }
  throw unknownThing('error');
}

/** Checks whether the event belongs to the project; null when it names none. */
export async function isOwnEvent(session: TrackerSession, event: ThirdpartyEvent): Promise<boolean | null> {
  const project = projectOfEvent(event);
  return project === null ? null : project === (await projectIdOf(session));
}
