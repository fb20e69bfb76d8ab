import type { TrackerProject } from '../../domain/tracker-project.ts';
import type { TrackerReply } from '../answer.ts';
import {
  listOrganizationProjects,
  listOrganizations,
  listProjects,
  type ListedProject,
  type Listing,
} from '../endpoints/projects.ts';
import type { TrackerAccess } from '../session.ts';
import type { UnusableRow } from '../shape.ts';

/** The project list of whole servers is going away at the largest tracker, and answers so now and then. */
const GONE: ReadonlySet<number> = new Set([404, 405, 410]);

const BY_ORGANIZATION = 'org:read and project:read';

export type AllProjects =
  | {
      readonly projects: readonly TrackerProject[];
      readonly cut: boolean;
      /** Slugs of organizations whose projects the token may not list. */
      readonly closed: readonly string[];
      /** Projects and organizations that cannot be used. */
      readonly unusable: readonly UnusableRow[];
    }
  /** `needed`: the scopes that the refused question takes. */
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

/** By way of the organizations that the token can see. */
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
  // None at all is no list with a gap.
  if (refusal !== null && closed.length === organizations.items.length) return { refusal, needed: BY_ORGANIZATION };
  return { projects, cut, closed, unusable };
}

/** Every project the token can see. Throws `tracker_invalid_answer` where no row is a project that can be used. */
export async function listAllProjects(access: TrackerAccess): Promise<AllProjects> {
  const all = read(await listProjects(access), 'project:read');
  if (!('refusal' in all) || !GONE.has(all.refusal.status)) return all;
  const listed = await listByOrganization(access);
  // Where neither list exists the first answer says more.
  return 'refusal' in listed && GONE.has(listed.refusal.status) ? all : listed;
}
