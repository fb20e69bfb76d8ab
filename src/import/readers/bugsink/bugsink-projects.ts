import { isRecord } from '../../../lib/own-property.ts';
import { countOf, listOf } from '../../../thirdparty/map/values.ts';
import { bugsinkPages } from './bugsink-pages.ts';
import { remoteProject } from '../remote/remote-project.ts';
import { refusal, type SourceAccess } from '../access/source-access.ts';

/** Projects that are read; those beyond are left out. */
const MAX_PROJECTS = 10_000;

type Row = Record<string, unknown>;

/** Rows of the projects of a Bugsink by slug, read once until they are forgotten. */
export class BugsinkProjects {
  readonly #access: SourceAccess;
  #rows: Promise<Map<string, Row>> | null = null;

  constructor(access: SourceAccess) {
    this.#access = access;
  }

  /** Makes the next question read the list again. */
  forget(): void {
    this.#rows = null;
  }

  /** Returns all rows. A failed read is repeated by the next question. */
  all(signal: AbortSignal): Promise<Map<string, Row>> {
    this.#rows ??= this.#read(signal);
    this.#rows.catch(() => (this.#rows = null));
    return this.#rows;
  }

  /** Returns the row of a project. Throws the refusal of an unknown slug. */
  async row(slug: string, signal: AbortSignal): Promise<Row> {
    const row = (await this.all(signal)).get(slug);
    if (row !== undefined) return row;
    const reply = { status: 404, ok: false, body: null, link: null, detail: null };
    throw refusal(this.#access, reply, { doing: `show the project ${slug}`, scope: 'projects:read' });
  }

  /** Returns the number of a project, by which requests name it. */
  async idOf(slug: string, signal: AbortSignal): Promise<string> {
    return String(countOf((await this.row(slug, signal)).id) ?? slug);
  }

  async #read(signal: AbortSignal): Promise<Map<string, Row>> {
    const projects = new Map<string, Row>();
    for await (const page of bugsinkPages(this.#access, { thing: 'projects', query: [], from: null }, signal)) {
      for (const row of listOf(page.rows)) {
        const slug = remoteProject(row)?.slug;
        if (isRecord(row) && slug !== undefined && projects.size < MAX_PROJECTS) projects.set(slug, row);
      }
      if (projects.size >= MAX_PROJECTS) break;
    }
    return projects;
  }
}
