import { join } from 'node:path';
import type { Clock } from '../domain/ports/clock.ts';
import type { Project } from '../domain/projects/project.ts';
import { ExportFile } from './export-file.ts';
import type { Manifest, ManifestFile } from './manifest.ts';
import { writeFolder } from './write-folder.ts';

/** Name of the format in the manifest of CSV files, which cannot be imported. */
export const CSV_FORMAT = 'errgate-csv';

export interface CsvManifest extends Pick<Manifest, 'version' | 'errgate' | 'created_at'> {
  readonly format: typeof CSV_FORMAT;
  readonly counts: { readonly projects: number };
  readonly files: readonly Omit<ManifestFile, 'lines'>[];
}

export interface CsvExportDeps {
  readonly projects: readonly Project[];
  /** Parts of a project's file, in order. */
  readonly textsOf: (project: Project) => Promise<AsyncIterable<string>>;
  readonly clock: Clock;
  readonly version: string;
}

/** Writes one CSV file of errors per project into a new folder, as `writeFolder` does. */
export async function exportCsv(deps: CsvExportDeps, dir: string, compress: boolean): Promise<CsvManifest> {
  const createdAt = deps.clock.now();
  return writeFolder(dir, async (unfinished) => {
    const files: Omit<ManifestFile, 'lines'>[] = [];
    for (const project of deps.projects) {
      const path = `errors-${project.id}.csv${compress ? '.gz' : ''}`;
      const file = await ExportFile.create(join(unfinished, path), compress);
      try {
        for await (const text of await deps.textsOf(project)) await file.addText(text);
      } catch (error) {
        await file.abandon();
        throw error;
      }
      const { bytes, sha256 } = await file.finish();
      files.push({ path, bytes, sha256 });
    }
    return {
      format: CSV_FORMAT,
      version: 1,
      errgate: deps.version,
      created_at: new Date(createdAt).toISOString(),
      counts: { projects: files.length },
      files,
    };
  });
}
