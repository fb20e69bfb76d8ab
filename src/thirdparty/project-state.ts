import { AppError } from '../domain/app-error.ts';
import type { TrackerProject } from '../domain/projects/tracker-project.ts';
import { listAllProjects } from './connect/list-projects.ts';
import { getProject, type ListedProject } from './endpoints/projects.ts';
import { newSlug, refused } from './http/refused.ts';
import { hostOf, type TrackerSession } from './session.ts';
import { trackerError } from './http/tracker-errors.ts';
import { askTrackerWithin } from './http/ask-within.ts';

/** State of the linked project in its tracker. */
export type ProjectState =
  | { readonly kind: 'there' }
  /** The project has other slugs now. */
  | { readonly kind: 'renamed'; readonly now: TrackerProject }
  /** Misspelt, deleted, or invisible to the token. `otherId`: id of another project with these slugs. */
  | { readonly kind: 'missing'; readonly otherId: string | null }
  /** The request failed or was inconclusive. */
  | { readonly kind: 'unknown'; readonly reason: AppError };

type ProjectOf = Pick<TrackerSession, 'client' | 'target' | 'signal' | 'organization' | 'project' | 'projectId'>;

/** Total milliseconds of all requests, because a user may be waiting. */
const TIME_LIMIT_MS = 4000;
/** Statuses for a missing object. */
const NOT_THERE: ReadonlySet<number> = new Set([404, 410]);

const DOING = { doing: 'show the project', scope: 'project:read' };

function toTrackerProject(project: ListedProject): TrackerProject {
  const { id, name, slug, status, organizationId, organizationName, organizationSlug } = project;
  return { id, name, slug, status, organizationId, organizationName, organizationSlug };
}

/**
 * Searches the project list by id, or by slugs without one. `isRouted`: the tracker has a route for single projects.
 */
async function stateByList(session: ProjectOf, isRouted: boolean, otherId: string | null): Promise<ProjectState> {
  const { organization, project, projectId } = session;
  const listing = await listAllProjects(session);
  if ('refusal' in listing) {
    // A tracker with neither route reveals nothing about the project.
    if (!isRouted && NOT_THERE.has(listing.refusal.status)) {
      return { kind: 'unknown', reason: refused(listing.refusal, hostOf(session), DOING) };
    }
    return { kind: 'missing', otherId };
  }
  const bySlugs = listing.projects.find((one) => one.organizationSlug === organization && one.slug === project);
  if (projectId === null) return bySlugs === undefined ? { kind: 'missing', otherId } : { kind: 'there' };
  const now = listing.projects.find((one) => one.id === projectId);
  if (now === undefined) return { kind: 'missing', otherId };
  return now === bySlugs ? { kind: 'there' } : { kind: 'renamed', now };
}

async function ask(session: ProjectOf): Promise<ProjectState> {
  const { organization, project, projectId } = session;
  const found = await getProject(session, organization, project);
  if (found.kind === 'found') {
    const isIt = projectId === null || found.project.id === projectId;
    return isIt ? { kind: 'there' } : stateByList(session, true, found.project.id);
  }
  const slug = newSlug(found.reply);
  if (slug !== null) {
    const renamed = await getProject(session, organization, slug);
    if (renamed.kind === 'found') return { kind: 'renamed', now: toTrackerProject(renamed.project) };
  }
  if (slug !== null || NOT_THERE.has(found.reply.status)) return stateByList(session, slug !== null, null);
  return { kind: 'unknown', reason: refused(found.reply, hostOf(session), DOING) };
}

/** Checks with the tracker, within four seconds. Never throws because of the tracker. */
export async function readProjectState(session: ProjectOf): Promise<ProjectState> {
  try {
    return await askTrackerWithin(session, TIME_LIMIT_MS, ask);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'unknown', reason: error };
  }
}

/**
 * Returns `tracker_refused` for a problem, else null, also for an unknown state. `details.project` is the suggested
 * replacement.
 */
export function projectStateProblem(session: ProjectOf, state: ProjectState): AppError | null {
  const name = `${session.organization}/${session.project}`;
  const host = hostOf(session);
  if (state.kind === 'renamed') {
    const { slug, organizationSlug } = state.now;
    const now = `${organizationSlug}/${slug}`;
    return trackerError(
      'tracker_refused',
      `the project ${name} was renamed to ${now} at ${host}: select it again in the settings`,
      `Project "${name}" was renamed to ${now}. Select it again to continue.`,
      { reason: 'project_renamed', project: state.now },
    );
  }
  if (state.kind !== 'missing') return null;
  const { otherId } = state;
  return trackerError(
    'tracker_refused',
    otherId === null
      ? `${host} has no project ${name}, or the token may not see it: correct organization and project in the settings`
      : `the project ${name} at ${host} has the id ${otherId}, so it is not the one that was chosen: choose the project again in the settings`,
    `Project "${name}" is no longer available. Select another project to continue.`,
    { reason: 'project_missing' },
  );
}
