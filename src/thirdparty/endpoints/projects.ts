import {
  isThirdpartyOrganization,
  isThirdpartyProject,
  type ThirdpartyProject,
} from '../../schemas/thirdparty/project.ts';
import { isRecord } from '../../lib/own-property.ts';
import { allPages } from '../all-pages.ts';
import type { TrackerReply } from '../answer.ts';
import { apiPath, ask, type TrackerAccess } from '../session.ts';
import { idText, shaped, shapedList } from '../shape.ts';

/** A project as people choose it; nothing secret of the tracker's project is kept. */
export interface ListedProject {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly status: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly organizationSlug: string;
}

export interface ListedOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

/** Either the whole list, or what the tracker refused with; the caller knows what that means for it. */
export type Listing<T> =
  | { readonly kind: 'listed'; readonly items: readonly T[]; readonly cut: boolean }
  | { readonly kind: 'refused'; readonly reply: TrackerReply };

function statusText(status: unknown): string {
  if (typeof status === 'string') return status;
  return isRecord(status) && typeof status.id === 'string' ? status.id : 'active';
}

function organizationOf(organization: ThirdpartyProject['organization'], known: ListedOrganization | null) {
  if (typeof organization === 'string') {
    return known?.slug === organization ? known : { id: '', name: organization, slug: organization };
  }
  if (organization === undefined || organization === null) return known;
  const { id, name, slug } = organization;
  return { id: id === undefined || id === null ? '' : idText(id, 'organization.id'), name: name ?? slug, slug };
}

/** `known`: the organization below whose route the project was listed. */
function listedProject(project: ThirdpartyProject, known: ListedOrganization | null): ListedProject {
  const organization = organizationOf(project.organization, known);
  return {
    id: idText(project.id, 'id'),
    name: project.name,
    slug: project.slug,
    status: statusText(project.status),
    organizationId: organization?.id ?? '',
    organizationName: organization?.name ?? '',
    organizationSlug: organization?.slug ?? '',
  };
}

async function listBelow(
  access: TrackerAccess,
  path: string,
  known: ListedOrganization | null,
): Promise<Listing<ListedProject>> {
  const { refusal, bodies, cut } = await allPages(access, path);
  if (refusal !== null) return { kind: 'refused', reply: refusal };
  const projects = bodies.flatMap((body) => shapedList(isThirdpartyProject, body, 'a project'));
  return { kind: 'listed', items: projects.map((project) => listedProject(project, known)), cut };
}

/** Every project the token sees. Trackers that take this route away answer 410 or 404. */
export function listProjects(access: TrackerAccess): Promise<Listing<ListedProject>> {
  return listBelow(access, apiPath('projects'), null);
}

/** Every project of one organization; needs another scope than the list of all projects. */
export function listOrganizationProjects(
  access: TrackerAccess,
  organization: ListedOrganization,
): Promise<Listing<ListedProject>> {
  return listBelow(access, apiPath('organizations', organization.slug, 'projects'), organization);
}

/** One project by its slugs, or what the tracker refused with: 302 with the new slug for a renamed one. */
export async function getProject(
  access: TrackerAccess,
  organization: string,
  slug: string,
): Promise<{ kind: 'found'; project: ListedProject } | { kind: 'refused'; reply: TrackerReply }> {
  const reply = await ask(access, { path: apiPath('projects', organization, slug) });
  if (!reply.ok) return { kind: 'refused', reply };
  const known = { id: '', name: organization, slug: organization };
  return { kind: 'found', project: listedProject(shaped(isThirdpartyProject, reply.body, 'a project'), known) };
}

export async function listOrganizations(access: TrackerAccess): Promise<Listing<ListedOrganization>> {
  const { refusal, bodies, cut } = await allPages(access, apiPath('organizations'));
  if (refusal !== null) return { kind: 'refused', reply: refusal };
  const items = bodies
    .flatMap((body) => shapedList(isThirdpartyOrganization, body, 'an organization'))
    .map(({ id, name, slug }) => ({
      id: id === undefined || id === null ? '' : idText(id, 'id'),
      name: name ?? slug,
      slug,
    }));
  return { kind: 'listed', items, cut };
}
