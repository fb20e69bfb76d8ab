import { AppError } from '../../domain/app-error.ts';
import type { Project } from '../../domain/projects/project.ts';
import { leaveOut, type LeftOuts } from '../state/left-outs.ts';
import type { ExportLine, ExportPart, ExportReader } from './export-reader.ts';
import { NUMBER } from './exported-error.ts';
import { type FileRow, formOf } from './row-values.ts';

/** Project of the export, here. */
interface KnownProject {
  readonly project: Project;
  readonly sourceId: number;
}

/** Rows of an export, with what their ids mean here. */
export class ExportRows {
  readonly reader: ExportReader;
  /** Time of the export. */
  readonly at: number;
  /** By the ids of the export. */
  readonly projects = new Map<string, KnownProject>();
  readonly errors = new Map<string, { readonly errorId: string; readonly created: boolean }>();
  /** Errors that were deleted here with their further events dropped, by the ids of the export. */
  readonly droppedErrors = new Set<string>();
  /** Projects of the export that are not wanted. */
  readonly skippedProjects = new Set<string>();
  /** Names of wanted projects that the export has. */
  readonly foundNames = new Set<string>();
  readonly #left: LeftOuts;
  readonly #signal: AbortSignal;
  readonly #onProgress: (rows: number, total: number) => void;
  readonly #total: number;
  #done = 0;

  constructor(
    reader: ExportReader,
    left: LeftOuts,
    signal: AbortSignal,
    onProgress: (rows: number, total: number) => void = () => undefined,
  ) {
    this.reader = reader;
    this.at = Date.parse(reader.manifest.created_at);
    this.#left = left;
    this.#signal = signal;
    this.#onProgress = onProgress;
    this.#total = reader.manifest.files.reduce((sum, { lines }) => sum + lines, 0);
  }

  /** Calls `take` for each row of a part. Names the line in what it throws; throws `conflict` when the lease is lost. */
  async each(part: ExportPart, take: (row: FileRow, line: ExportLine) => Promise<void> | void): Promise<void> {
    for await (const line of this.reader.lines(part)) {
      if (this.#signal.aborted) throw new AppError('conflict', 'another process goes on with this import');
      try {
        await take(line.row, line);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
        throw new AppError('bad_request', `${line.place}: ${error.message}`, { cause: error });
      }
      this.#done += 1;
      this.#onProgress(this.#done, this.#total);
    }
  }

  /** Returns the project of a row; null for one that is not wanted, or not in the export, which is listed. */
  projectOf(own: FileRow, what: string): KnownProject | null {
    const id = formOf(own, 'project_id', NUMBER);
    const known = this.projects.get(id);
    if (known !== undefined) return known;
    if (!this.skippedProjects.has(id)) this.leaveOut(what, 'its project is not in the export');
    return null;
  }

  /** Returns the ids here of a row's error; null as `projectOf`, or when the error is dropped here, unlisted. */
  errorOf(own: FileRow, what: string): { readonly projectId: number; readonly errorId: string } | null {
    const known = this.projectOf(own, what);
    if (known === null) return null;
    const id = formOf(own, 'error_id', NUMBER);
    const error = this.errors.get(id);
    if (error !== undefined) return { projectId: known.project.id, errorId: error.errorId };
    if (!this.droppedErrors.has(id)) this.leaveOut(what, 'its error is not in the export');
    return null;
  }

  leaveOut(what: string, reason: string): void {
    leaveOut(this.#left, null, what, reason);
  }
}
