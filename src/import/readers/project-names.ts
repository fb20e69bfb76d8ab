import { filledText, listOf } from '../../thirdparty/map/values.ts';
import type { TrackerReply } from '../../thirdparty/http/answer.ts';
import { newSlug, refused } from '../../thirdparty/http/refused.ts';
import { isRecord } from '../../lib/own-property.ts';
import { apiPath } from '../../thirdparty/session.ts';
import { refusal, type SourceAccess } from './access/source-access.ts';
import { smallList } from './small-list.ts';
import type { SourceDialect } from './source-dialect.ts';

/** Projects of one organization that are read. */
export const MAX_PROJECTS = 10_000;
/** Times that a project may be renamed during one request. */
const MAX_RENAMES = 3;

/** Rows of the organization's projects; those of the token when it may not list them. */
export async function* projectRows(
  access: SourceAccess,
  dialect: SourceDialect,
  signal: AbortSignal,
): AsyncGenerator<Record<string, unknown>> {
  const form = { query: [], sizeName: dialect.pageSize, skipRow: dialect.skipRow } as const;
  const refusals: TrackerReply[] = [];
  const options = {
    maxRows: MAX_PROJECTS,
    what: 'projects',
    refused: (reply: TrackerReply) => refusals.push(reply),
    signal,
  };
  const path = apiPath('organizations', access.organization, 'projects');
  for await (const { row } of smallList(access, { ...form, path }, options)) if (isRecord(row)) yield row;
  const [reply] = refusals;
  if (reply === undefined) return;
  if (reply.status !== 403) throw refusal(access, reply, { doing: 'list the projects', scope: 'org:read' });
  access.lacks.projects.add(
    'only those in which the owner of the token is a member: the token lacks the scope org:read',
  );
  const asUser = {
    ...options,
    refused: (other: TrackerReply) => {
      throw refusal(access, other, { doing: 'list the projects', scope: 'org:read or project:read' });
    },
  };
  for await (const { row } of smallList(access, { ...form, path: apiPath('projects') }, asUser)) {
    if (!isRecord(row)) continue;
    const { organization } = row;
    const slug = isRecord(organization) ? organization.slug : organization;
    if (slug === access.organization) yield row;
  }
}

/**
 * Finds projects that were renamed. Projects are named by the slug they had first, and their requests go to the present
 * one: trackers answer the old one with a redirect, 404, an empty list, or the rows of another project.
 */
export class ProjectNames {
  readonly #access: SourceAccess;
  readonly #dialect: SourceDialect;
  /** Ids by the first slug. */
  readonly #ids: Map<string, string>;
  /** Present slugs by the first one. */
  readonly #slugs = new Map<string, string>();

  constructor(access: SourceAccess, dialect: SourceDialect, ids: ReadonlyMap<string, string>) {
    this.#access = access;
    this.#dialect = dialect;
    this.#ids = new Map(ids);
  }

  slugOf(project: string): string {
    return this.#slugs.get(project) ?? project;
  }

  /** Id of the project there; null while unknown. */
  idOf(project: string): string | null {
    return this.#ids.get(project) ?? null;
  }

  /** Records the id of a project when it is not known. */
  learn(project: string, id: string): void {
    if (!this.#ids.has(project)) this.#ids.set(project, id);
  }

  /** Id of the project there, asked for when unknown. */
  async findId(project: string, signal: AbortSignal): Promise<string> {
    const known = this.idOf(project);
    if (known !== null) return known;
    const reply = await this.request(
      project,
      (slug) => this.#access.asker.ask({ path: apiPath('projects', this.#access.organization, slug), signal }),
      signal,
    );
    const id = reply.ok && isRecord(reply.body) ? filledText(reply.body.id) : null;
    if (id === null) throw refusal(this.#access, reply, { doing: 'show the project', scope: 'project:read' });
    this.learn(project, id);
    return id;
  }

  /** Sends a request that names the project by its slug, again when the answer shows that it was renamed. */
  async request(
    project: string,
    send: (slug: string) => Promise<TrackerReply>,
    signal: AbortSignal,
  ): Promise<TrackerReply> {
    for (let renames = 0; ; renames += 1) {
      const asked = this.slugOf(project);
      const reply = await send(asked);
      if (renames === MAX_RENAMES) return reply;
      // A request beside this one may have learned the new slug before.
      const isNewer = !reply.ok && this.slugOf(project) !== asked;
      if (!isNewer && !(await this.wasRenamed(project, reply, signal))) return reply;
    }
  }

  /**
   * Looks the project up by its id, when a list of it is empty or has the rows of another project. Returns true when its
   * slug has changed. Throws `tracker_refused` when it is gone.
   */
  async recheck(project: string, signal: AbortSignal): Promise<boolean> {
    const id = this.idOf(project);
    const slug = this.slugOf(project);
    const { asker, organization } = this.#access;
    const reply = await asker.ask({ path: apiPath('projects', organization, slug), signal });
    const found = reply.ok && isRecord(reply.body) ? filledText(reply.body.id) : null;
    if (found !== null && (id === null || found === id)) {
      this.learn(project, found);
      return false;
    }
    if (await this.wasRenamed(project, reply.ok ? { ...reply, ok: false, status: 404 } : reply, signal)) return true;
    throw refused(reply.ok ? { ...reply, status: 404 } : reply, new URL(this.#access.baseUrl).host, {
      doing: `show the project ${slug}`,
      scope: 'project:read',
    });
  }

  /** Returns true when a refusal shows that the project has another slug now; the request is sent again then. */
  async wasRenamed(project: string, reply: TrackerReply, signal: AbortSignal): Promise<boolean> {
    const told = newSlug(reply);
    if (told !== null) return this.#rename(project, told);
    const id = this.idOf(project);
    if (reply.status !== 404 || id === null) return false;
    for await (const row of projectRows(this.#access, this.#dialect, signal)) {
      const slug = filledText(row.slug);
      if (filledText(row.id) === id && slug !== null) return this.#rename(project, slug);
    }
    return false;
  }

  #rename(project: string, slug: string): boolean {
    if (slug === this.slugOf(project)) return false;
    this.#slugs.set(project, slug);
    return true;
  }
}

/** Project id in the rows of a list, when all name the same one; null else. */
export function projectIdIn(rows: unknown): string | null {
  const ids = new Set(
    listOf(rows).map((row) => (isRecord(row) && isRecord(row.project) ? filledText(row.project.id) : null)),
  );
  const [id] = ids;
  return ids.size === 1 ? (id ?? null) : null;
}
