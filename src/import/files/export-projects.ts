import { AppError } from '../../domain/app-error.ts';
import { projectPathProblem } from '../../domain/names.ts';
import { eachRow, type ExportReader } from './export-reader.ts';
import { NUMBER } from './exported-error.ts';
import { type FileProject, FileProjects, type WantedName } from './file-projects.ts';
import { type FileRow, formOf, objectsOf, textOf, wordOf } from './row-values.ts';

/** Maximum characters of a path. */
const MAX_PATH = 255;

export interface ExportProjects {
  readonly projects: FileProjects;
  /** Rows of projects by their paths there, with what only an export of errgate has. */
  readonly rows: ReadonlyMap<string, FileRow>;
}

/**
 * Reads the wanted projects of an export; null: all. Throws `bad_request` for a project without an id, and for one with
 * a path that no project can have.
 */
export async function readExportProjects(
  reader: ExportReader,
  wanted: readonly WantedName[] | null,
): Promise<ExportProjects> {
  const version = textOf({ version: reader.manifest.errgate }, 'version', 64);
  const projects = new FileProjects('errgate', version, wanted);
  const rows = new Map<string, FileRow>();
  await eachRow(reader, 'projects', (row) => {
    const remote = toProject(row);
    const keys = objectsOf(row, 'keys').map((key) => ({
      publicKey: textOf(key, 'public_key', 256) ?? '',
      active: key['active'] !== false,
      label: null,
      rateLimit: null,
    }));
    const path = projects.add(remote, keys);
    const problem = path === null ? null : projectPathProblem(path);
    if (problem !== null) {
      throw new AppError('bad_request', `"${path ?? ''}" cannot be the path of a project. ${problem}`);
    }
    rows.set(remote.slug, row);
  });
  return { projects, rows };
}

function toProject(row: FileRow): FileProject {
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
