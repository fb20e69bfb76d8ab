import { decide } from '../../../auth/policy.ts';
import type { Principal } from '../../../auth/principal.ts';
import { formerLinkIn, type FormerLink } from '../../../domain/imports/former-link.ts';
import type { ImportSource } from '../../../domain/imports/import.ts';
import type { FoundError } from '../../../domain/ports/stores/import-store.ts';
import type { Project } from '../../../domain/projects/project.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, problems } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import type { CommonDeps, ProjectDeps } from '../../http/route-deps.ts';
import { accountRoute, type Route } from '../../http/route.ts';
import { errorUrl } from '../shared/error-place.ts';

/** Maximum of projects in which an event is searched that an address names without its issue. */
const MAX_PROJECTS = 20;

type Deps = CommonDeps & Pick<ProjectDeps, 'integratedErrors'>;

/** Finds the imported errors that an address or id of a former tracker names, as far as the user may read them. */
export async function findFormerLink(deps: Deps, principal: Principal, reference: string) {
  const link = formerLinkIn(reference);
  if (link === null) return [];
  const places = new Places(deps, principal, link);
  const found = link.id === null ? [] : await deps.store.findByExternalId(null, link.id);
  const shown = await Promise.all(found.map((error) => places.place(error)));
  const errors = shown.filter((one) => one !== null);
  if (errors.length > 0 || link.eventId === null) return places.best(errors);
  return places.best(await places.ofEvent(link.eventId));
}

/** Error in a project that the user may read. */
interface Place {
  readonly project: Project;
  readonly errorId: string;
  readonly sources: readonly ImportSource[];
}

class Places {
  readonly #deps: Deps;
  readonly #principal: Principal;
  readonly #link: FormerLink;

  constructor(deps: Deps, principal: Principal, link: FormerLink) {
    this.#deps = deps;
    this.#principal = principal;
    this.#link = link;
  }

  /** Returns the error with its project; null where the user may not read it, or another organization had it. */
  async place({ projectId, errorId }: FoundError): Promise<Place | null> {
    const { store } = this.#deps;
    const project = await this.#readable(projectId);
    if (project === null) return null;
    const sources = (await store.listImportSources(projectId)).filter((source) => isOfSource(source, this.#link.names));
    return sources.length === 0 ? null : { project, errorId, sources };
  }

  /** Finds the errors of an event in the projects of the named organization. */
  async ofEvent(eventId: string): Promise<Place[]> {
    const { store, integratedErrors } = this.#deps;
    const sources = (await store.listImportSources(null)).filter((source) => isOfSource(source, this.#link.names));
    const ids = [...new Set(sources.map(({ projectId }) => projectId))].slice(0, MAX_PROJECTS);
    const places: Place[] = [];
    for (const projectId of ids) {
      const project = await this.#readable(projectId);
      const errorId = project === null ? null : await integratedErrors.errorOfEvent(project, eventId);
      if (project === null || errorId === null) continue;
      places.push({ project, errorId, sources: sources.filter((source) => source.projectId === projectId) });
    }
    return places;
  }

  /** Presents the errors: where several had the id, those whose project or host the address names as well. */
  async best(places: readonly Place[]) {
    const project = this.#link.names.at(-1)?.toLowerCase() ?? '';
    let best = places;
    for (const isNamed of [
      (source: ImportSource) => source.project.toLowerCase() === project,
      (source: ImportSource) => new URL(source.url).host === this.#link.host,
    ]) {
      const named = best.filter(({ sources }) => sources.some(isNamed));
      if (named.length > 0) best = named;
    }
    return Promise.all(best.map((place) => this.#present(place)));
  }

  async #present({ project, errorId }: Place) {
    const { integratedErrors, externalUrl } = this.#deps;
    const { eventId } = this.#link;
    const hasEvent = eventId !== null && (await integratedErrors.errorOfEvent(project, eventId)) === errorId;
    const url = errorUrl({ project, integrated: true, externalUrl: externalUrl() }, errorId);
    return {
      project: { id: project.id, path_with_namespace: project.path },
      error_id: errorId,
      event_id: hasEvent ? eventId : null,
      web_url: hasEvent ? `${url}?event=${eventId}` : url,
    };
  }

  async #readable(projectId: number): Promise<Project | null> {
    const { store } = this.#deps;
    const project = await store.projectById(projectId);
    if (project === null) return null;
    const level = await store.accessLevel(projectId, this.#principal.user.id);
    return decide(this.#principal, 'read_errors', project, level) === 'ok' ? project : null;
  }
}

/**
 * Returns true unless the segments of an address name another organization than that of the source. The links that
 * GlitchTip's API gives, `/<project>/issues/<id>`, name the project alone.
 */
export function isOfSource({ kind, url, organization, project }: ImportSource, names: readonly string[]): boolean {
  const subPath = new URL(url).pathname.split('/').filter((name) => name !== '');
  const isBelow = subPath.every((name, index) => names[index] === name);
  const rest = isBelow ? names.slice(subPath.length) : names;
  const [first] = rest;
  if (kind === 'glitchtip' && rest.length === 1 && first?.toLowerCase() === project.toLowerCase()) return true;
  return first === undefined || organization === '' || first.toLowerCase() === organization.toLowerCase();
}

/** Maximum characters of an old address or id. */
const MAX_REFERENCE = 2000;

const formerLinkParametersSchema = {
  type: 'object',
  properties: {
    path: {
      type: 'string',
      maxLength: MAX_REFERENCE,
      'x-not-blank': true,
      description: 'Address of an issue in a former tracker, or its path, id or short id',
    },
  },
  required: ['path'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

const formerLinksSchema = {
  type: 'array',
  items: objectSchema({
    title: 'FormerLink',
    properties: {
      project: objectSchema({ properties: { id: { type: 'integer' }, path_with_namespace: { type: 'string' } } }),
      error_id: { type: 'string' },
      event_id: { ...nullableText, description: 'The named event, when it is stored' },
      web_url: { type: 'string' },
    },
  }),
} as const;

export const formerLinkRoutes: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: '/api/v4/error_tracking/former_links',
    operationId: 'findFormerLink',
    summary: 'Find imported errors by their address or id in a former tracker; those that you may read',
    action: 'read_self',
    parameters: formerLinkParametersSchema,
    responses: {
      200: { description: 'The errors; empty when none was imported', schema: formerLinksSchema },
      ...problems,
    },
    handle: async ({ deps, principal, params }) => ({
      status: 200,
      body: await findFormerLink(deps, principal, params.path),
    }),
  }),
];
