import {
  isThirdpartyOrganization,
  isThirdpartyProject,
  type ThirdpartyProject,
} from '../../schemas/thirdparty/project.ts';
import { isRecord } from '../../lib/own-property.ts';
import { allPages } from '../all-pages.ts';
import type { TrackerReply } from '../http/answer.ts';
import { apiPath, ask, usedRows, type TrackerAccess } from '../session.ts';
import { idText, shaped, usableRows, type UnusableRow } from '../http/shape.ts';
import { trackerError } from '../http/tracker-errors.ts';

/** Project for selection, without confidential members. */
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

/** Complete list, or the refusal of the tracker for the caller to interpret. */
export type Listing<T> =
  | {
      readonly kind: 'listed';
      readonly items: readonly T[];
      /** Unusable rows, not in `items`. */
      readonly unusable: readonly UnusableRow[];
      readonly cut: boolean;
    }
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

/** `known`: organization of the route that listed the project. */
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

/** Requires a project with an organization, because its address names it. */
function choosable(row: unknown, known: ListedOrganization | null): ListedProject {
  const project = listedProject(shaped(isThirdpartyProject, row, 'a project'), known);
  if (project.organizationSlug !== '') return project;
  throw trackerError(
    'tracker_invalid_answer',
    'the third-party tracker sent a project without "organization": check that the tracker is one that errgate supports',
    'Third-party API response is missing keys. key not found: "organization"',
    { reason: 'shape' },
  );
}

async function listBelow(
  access: TrackerAccess,
  path: string,
  known: ListedOrganization | null,
): Promise<Listing<ListedProject>> {
  const { refusal, bodies, cut } = await allPages(access, path);
  if (refusal !== null) return { kind: 'refused', reply: refusal };
  const found = usableRows(bodies, 'a project', (row) => choosable(row, known));
  return { kind: 'listed', items: usedRows(access, 'project', found), unusable: found.unusable, cut };
}

/** Lists all projects visible to the token. Trackers without this route answer 410 or 404. */
export function listProjects(access: TrackerAccess): Promise<Listing<ListedProject>> {
  return listBelow(access, apiPath('projects'), null);
}

/** Lists the projects of one organization; needs another scope than the list of all projects. */
export function listOrganizationProjects(
  access: TrackerAccess,
  organization: ListedOrganization,
): Promise<Listing<ListedProject>> {
  return listBelow(access, apiPath('organizations', organization.slug, 'projects'), organization);
}

/** Reads one project by its slugs, or the refusal: 302 with the new slug for a renamed one. */
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
  const found = usableRows(bodies, 'an organization', (row): ListedOrganization => {
    const { id, name, slug } = shaped(isThirdpartyOrganization, row, 'an organization');
    return { id: id === undefined || id === null ? '' : idText(id, 'id'), name: name ?? slug, slug };
  });
  return { kind: 'listed', items: usedRows(access, 'organization', found), unusable: found.unusable, cut };
}
