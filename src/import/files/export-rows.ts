import type { ProjectContext } from '../project-context.ts';
import type { RunRecord } from '../run-record.ts';
import type { LeftOpen } from '../state/left-outs.ts';
import { eachRow, type ExportLine, type ExportPart, type ExportReader } from './export-reader.ts';
import { NUMBER } from './exported-error.ts';
import type { FileProjects } from './file-projects.ts';
import { type FileRow, formOf } from './row-values.ts';

/** Project of the export, here. */
export type ExportContext = ProjectContext<FileProjects>;

/** Error of the export, here. */
export interface KnownError {
  readonly context: ExportContext;
  readonly errorId: string;
  readonly created: boolean;
}

/**
 * Rows of an export, with what their ids mean here. Each file has rows of all projects in an order of its own, so a part
 * is read for all projects at once.
 */
export class ExportRows {
  readonly reader: ExportReader;
  /** Time of the export. */
  readonly at: number;
  /** By the ids of the export. */
  readonly projects = new Map<string, ExportContext>();
  readonly errors = new Map<string, KnownError>();
  /** Errors that were deleted here with their further events dropped, by the ids of the export. */
  readonly droppedErrors = new Set<string>();
  readonly #skippedProjects: ReadonlySet<string>;
  readonly #record: RunRecord<FileProjects>;
  readonly #onProgress: (rows: number, total: number) => void;
  readonly #total: number;
  #done = 0;

  /** `skipped`: ids of projects that are not wanted. */
  constructor(
    reader: ExportReader,
    skipped: ReadonlySet<string>,
    record: RunRecord<FileProjects>,
    onProgress: (rows: number, total: number) => void = () => undefined,
  ) {
    this.reader = reader;
    this.at = Date.parse(reader.manifest.created_at);
    this.#skippedProjects = skipped;
    this.#record = record;
    this.#onProgress = onProgress;
    this.#total = reader.manifest.files.reduce((sum, { lines }) => sum + lines, 0);
  }

  /** Aborts when the run is interrupted or cancelled, and when another process has the lease. */
  get signal(): AbortSignal {
    return this.#record.signal;
  }

  /** Notes rows that were read. */
  progressed(rows = 1): void {
    this.#done += rows;
    this.#onProgress(this.#done, this.#total);
  }

  /**
   * Calls `take` for each row of a part, whose stage it begins and ends in all projects; `take` counts in it. Names the
   * line in what it throws. Throws when the run is interrupted.
   */
  async each(
    part: Exclude<ExportPart, 'projects' | 'activity' | 'builds' | 'commits' | 'uploads'>,
    take: (row: FileRow, line: ExportLine) => Promise<void> | void,
  ): Promise<void> {
    for (const context of this.projects.values()) context.stage(part).done = 0;
    await this.eachUncounted(part, take);
    for (const context of this.projects.values()) {
      const stage = context.stage(part);
      stage.total = stage.done;
      stage.finished = true;
    }
  }

  /** As `each`, for a part that is no stage. */
  async eachUncounted(part: ExportPart, take: (row: FileRow, line: ExportLine) => Promise<void> | void): Promise<void> {
    await this.#record.say('running', `reading ${part}`);
    await eachRow(this.reader, part, async (row, line) => {
      this.#record.signal.throwIfAborted();
      await take(row, line);
      this.progressed();
    });
  }

  /** Returns the project of a row; null for one that is not wanted, or not in the export, which is listed. */
  projectOf(own: FileRow, what: string): ExportContext | null {
    const id = formOf(own, 'project_id', NUMBER);
    const known = this.projects.get(id);
    if (known !== undefined) return known;
    if (!this.#skippedProjects.has(id)) this.leaveOut(what, 'its project is not in the export');
    return null;
  }

  /** Returns the error of a row; null as `projectOf`, or when the error is dropped here, unlisted. */
  errorOf(own: FileRow, what: string): KnownError | null {
    if (this.projectOf(own, what) === null) return null;
    const id = formOf(own, 'error_id', NUMBER);
    const error = this.errors.get(id);
    if (error !== undefined) return error;
    if (!this.droppedErrors.has(id)) this.leaveOut(what, 'its error is not in the export');
    return null;
  }

  leaveOut(what: string, reason: string, open?: LeftOpen): void {
    this.#record.leaveOut(null, what, reason, open);
  }
}
