import type { TrackerProject } from '../../domain/projects/tracker-project.ts';
import type { TrackerReply } from '../http/answer.ts';
import {
  listOrganizationProjects,
  listOrganizations,
  listProjects,
  type ListedProject,
  type Listing,
} from '../endpoints/projects.ts';
import type { TrackerAccess } from '../session.ts';
import type { UnusableRow } from '../http/shape.ts';

/** Statuses of a removed list of all projects, which Sentry is retiring. */
const GONE: ReadonlySet<number> = new Set([404, 405, 410]);

const BY_ORGANIZATION = 'org:read and project:read';

export type AllProjects =
  | {
      readonly projects: readonly TrackerProject[];
      readonly cut: boolean;
      /** Slugs of organizations whose projects the token must not list. */
      readonly closed: readonly string[];
      /** Unusable projects and organizations. */
      readonly unusable: readonly UnusableRow[];
    }
  /** `needed`: scopes for the refused request. */
  | { readonly refusal: TrackerReply; readonly needed: string };

function toTrackerProject(project: ListedProject): TrackerProject {
  const { id, name, slug, status, organizationId, organizationName, organizationSlug } = project;
  const known = organizationId === '' ? null : organizationId;
  return { id, name, slug, status, organizationId: known, organizationName, organizationSlug };
}

function read(listing: Listing<ListedProject>, needed: string): AllProjects {
  if (listing.kind === 'refused') return { refusal: listing.reply, needed };
  const { items, unusable, cut } = listing;
  return { projects: items.map(toTrackerProject), cut, closed: [], unusable };
}

/** Lists the projects of each visible organization. */
async function listByOrganization(access: TrackerAccess): Promise<AllProjects> {
  const organizations = await listOrganizations(access);
  if (organizations.kind === 'refused') return { refusal: organizations.reply, needed: BY_ORGANIZATION };
  const projects: TrackerProject[] = [];
  const closed: string[] = [];
  const unusable = [...organizations.unusable];
  let refusal: TrackerReply | null = null;
  let cut = organizations.cut;
  for (const organization of organizations.items) {
    const found = read(await listOrganizationProjects(access, organization), BY_ORGANIZATION);
    if ('refusal' in found) {
      if (found.refusal.status !== 403) return found;
      refusal ??= found.refusal;
      closed.push(organization.slug);
      continue;
    }
    projects.push(...found.projects);
    unusable.push(...found.unusable);
    cut ||= found.cut;
  }
  // Refusals by all organizations count as refusal of the list.
  if (refusal !== null && closed.length === organizations.items.length) return { refusal, needed: BY_ORGANIZATION };
  return { projects, cut, closed, unusable };
}

/** Lists all projects visible to the token. Throws `tracker_invalid_answer` when no row is an object. */
export async function listAllProjects(access: TrackerAccess): Promise<AllProjects> {
  const all = read(await listProjects(access), 'project:read');
  if (!('refusal' in all) || !GONE.has(all.refusal.status)) return all;
  const listed = await listByOrganization(access);
  // When neither list exists, the first response is more specific.
  return 'refusal' in listed && GONE.has(listed.refusal.status) ? all : listed;
}
