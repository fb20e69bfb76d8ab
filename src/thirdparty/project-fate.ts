import { AppError } from '../domain/app-error.ts';
import type { TrackerProject } from '../domain/tracker-project.ts';
import { listAllProjects } from './connect/list-projects.ts';
import { getProject, type ListedProject } from './endpoints/projects.ts';
import { newSlug, refused } from './refused.ts';
import { hostOf, type TrackerSession } from './session.ts';
import { trackerError } from './tracker-errors.ts';
import { within } from './within.ts';

/** What became of the project that settings name, as far as its tracker tells. */
export type ProjectFate =
  | { readonly kind: 'there' }
  /** Under other slugs. */
  | { readonly kind: 'renamed'; readonly now: TrackerProject }
  /** Misspelt, deleted, or out of sight for the token. `otherId`: of another project that has the slugs. */
  | { readonly kind: 'missing'; readonly otherId: string | null }
  /** The tracker cannot be asked, or does not answer the question. */
  | { readonly kind: 'unknown'; readonly reason: AppError };

type ProjectOf = Pick<TrackerSession, 'client' | 'target' | 'signal' | 'organization' | 'project' | 'projectId'>;

/** A person, or a page, may be waiting. Milliseconds for all requests together. */
const TIME_LIMIT_MS = 4000;
/** Statuses with which a tracker says that it has no such thing. */
const NOT_THERE: ReadonlySet<number> = new Set([404, 410]);

const DOING = { doing: 'show the project', scope: 'project:read' };

function toTrackerProject(project: ListedProject): TrackerProject {
  const { id, name, slug, status, organizationId, organizationName, organizationSlug } = project;
  return { id, name, slug, status, organizationId, organizationName, organizationSlug };
}

/**
 * Looks where the tracker lists its projects: by id, which stays, or by the slugs where no id is known. `isRouted`: it
 * has shown that it has a route for single projects.
 */
async function fateByList(session: ProjectOf, isRouted: boolean, otherId: string | null): Promise<ProjectFate> {
  const { organization, project, projectId } = session;
  const listing = await listAllProjects(session);
  if ('refusal' in listing) {
    // A tracker with neither route says nothing about the project.
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

async function ask(session: ProjectOf): Promise<ProjectFate> {
  const { organization, project, projectId } = session;
  const found = await getProject(session, organization, project);
  if (found.kind === 'found') {
    const isIt = projectId === null || found.project.id === projectId;
    return isIt ? { kind: 'there' } : fateByList(session, true, found.project.id);
  }
  const slug = newSlug(found.reply);
  if (slug !== null) {
    const renamed = await getProject(session, organization, slug);
    if (renamed.kind === 'found') return { kind: 'renamed', now: toTrackerProject(renamed.project) };
  }
  if (slug !== null || NOT_THERE.has(found.reply.status)) return fateByList(session, slug !== null, null);
  return { kind: 'unknown', reason: refused(found.reply, hostOf(session), DOING) };
}

/** Asks the tracker, live, within four seconds. Never throws because of the tracker. */
export async function fateOfProject(session: ProjectOf): Promise<ProjectFate> {
  try {
    return await within(session, TIME_LIMIT_MS, ask);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'unknown', reason: error };
  }
}

/** Null while nothing is wrong, or nothing is known. Else `tracker_refused`; `details.project` is the one to choose. */
export function fateProblem(session: ProjectOf, fate: ProjectFate): AppError | null {
  const name = `${session.organization}/${session.project}`;
  const host = hostOf(session);
  if (fate.kind === 'renamed') {
    const { slug, organizationSlug } = fate.now;
    const now = `${organizationSlug}/${slug}`;
    return trackerError(
      'tracker_refused',
      `the project ${name} is called ${now} at ${host} now: choose it again in the settings`,
      `Project "${name}" is called ${now} now. Select it again to continue.`,
      { reason: 'project_renamed', project: fate.now },
    );
  }
  if (fate.kind !== 'missing') return null;
  const { otherId } = fate;
  return trackerError(
    'tracker_refused',
    otherId === null
      ? `${host} has no project ${name}, or the token may not see it: correct organization and project in the settings`
      : `the project ${name} at ${host} has the id ${otherId}, so it is not the one that was chosen: choose the project again in the settings`,
    `Project "${name}" is no longer available. Select another project to continue.`,
    { reason: 'project_missing' },
  );
}
