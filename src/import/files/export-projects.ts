import { AppError } from '../../domain/app-error.ts';
import { projectPathProblem } from '../../domain/names.ts';
import type { ChosenProject } from '../import-run.ts';
import type { ProjectsReader, RemoteKey, RemoteProject } from '../tracker-reader.ts';
import { eachRow, type ExportReader } from './export-reader.ts';
import { NUMBER } from './exported-error.ts';
import { type FileRow, formOf, objectsOf, textOf, wordOf } from './row-values.ts';

/** Maximum characters of a path. */
const MAX_PATH = 255;

/** Project that is wanted: its path there or the last segment of it, and its path here, null: the same. */
type WantedName = Pick<ChosenProject, 'slug' | 'path'>;

/** Project of an export with an id; its slug is its path there. */
type ExportedProject = RemoteProject & { readonly id: string };

/** Projects of an export that are to be imported, and their keys. */
export class ExportProjects implements ProjectsReader {
  readonly kind = 'errgate';
  readonly version: string | null;
  readonly cannot: readonly string[] = [];
  /** Projects by their paths there that are to be imported; null: all. */
  readonly chosen: ChosenProject[] | null;
  /** Ids of projects that are not to be imported. */
  readonly skipped = new Set<string>();
  /** Names of projects to be imported that the export does not have. */
  readonly missing: Set<string>;
  readonly #wanted: readonly WantedName[] | null;
  /** By their paths there. */
  readonly #projects = new Map<string, { readonly remote: ExportedProject; readonly row: FileRow }>();

  private constructor(version: string | null, wanted: readonly WantedName[] | null) {
    this.version = version;
    this.chosen = wanted === null ? null : [];
    this.missing = new Set(wanted?.map(({ slug }) => slug));
    this.#wanted = wanted;
  }

  /** Throws `bad_request` for a project without an id, and for one with a path that no project can have. */
  static async read(reader: ExportReader, wanted: readonly WantedName[] | null): Promise<ExportProjects> {
    const projects = new ExportProjects(textOf({ version: reader.manifest.errgate }, 'version', 64), wanted);
    await eachRow(reader, 'projects', (row) => {
      projects.#add(row);
    });
    return projects;
  }

  async *projects(): AsyncGenerator<ExportedProject> {
    for (const { remote } of this.#projects.values()) yield remote;
  }

  async *keys(slug: string): AsyncGenerator<RemoteKey> {
    for (const key of objectsOf(this.rowOf(slug), 'keys')) {
      const publicKey = textOf(key, 'public_key', 256) ?? '';
      yield { publicKey, label: null, active: key['active'] !== false, rateLimit: null };
    }
  }

  #add(row: FileRow): void {
    const remote = toProject(row);
    const { id, slug } = remote;
    const last = slug.slice(slug.lastIndexOf('/') + 1);
    const name = this.#wanted?.find((one) => one.slug === slug) ?? this.#wanted?.find((one) => one.slug === last);
    if (this.#wanted !== null && name === undefined) {
      this.skipped.add(id);
      return;
    }
    const path = name?.path ?? slug;
    const problem = projectPathProblem(path);
    if (problem !== null) throw new AppError('bad_request', `"${path}" cannot be the path of a project. ${problem}`);
    if (name !== undefined) this.missing.delete(name.slug);
    this.chosen?.push({ slug, path: name?.path ?? null, projectId: null });
    this.#projects.set(slug, { remote, row });
  }

  /** Returns the row of a project, with what only an export of errgate has. */
  rowOf(slug: string): FileRow {
    return this.#projects.get(slug)?.row ?? {};
  }
}

function toProject(row: FileRow): ExportedProject {
  const path = textOf(row, 'path', MAX_PATH) ?? '';
  const aliases = row['alias_ids'];
  return {
    id: formOf(row, 'id', NUMBER),
    slug: path,
    name: textOf(row, 'name', 200) ?? path,
    platform: null,
    uses: [],
    settings: {
      path,
      visibility: wordOf(row, 'visibility', ['private', 'public']),
      monitorEnabled: row['monitor'] !== false,
      aliasIds: Array.isArray(aliases) ? aliases.map(String) : [],
    },
  };
}
