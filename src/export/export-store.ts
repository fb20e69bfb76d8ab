import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildRelease, Deploy } from '../domain/artifacts/build.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { ExportBounds, ExportedError, ExportSource } from '../domain/ports/export-source.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import type { Project } from '../domain/projects/project.ts';
import { syncPath } from '../lib/durable-files.ts';
import { exportedAlerts } from './alert-rules.ts';
import { activityLine } from './activity-line.ts';
import { auditLines } from './audit-lines.ts';
import { buildLine, commitLine, contentPath, CONTENTS_FOLDER, lastNeeded, uploadLine, writeContent } from './builds.ts';
import { errorLine } from './error-line.ts';
import { EventFiles } from './event-files.ts';
import { EventLines } from './event-lines.ts';
import { ExportFile } from './export-file.ts';
import type { KeysOf } from './known-keys.ts';
import { EXPORT_FORMAT, EXPORT_VERSION, type Manifest, type ManifestContent, type ManifestFile } from './manifest.ts';
import { exportedLinks } from './project-links.ts';
import { reportLine } from './report-line.ts';
import { writeFolder } from './write-folder.ts';

export interface ExportDeps {
  readonly store: Pick<
    Store,
    | 'listProjects'
    | 'listAliases'
    | 'listKeys'
    | 'initMeta'
    | 'projectAlerts'
    | 'listChannels'
    | 'projectLinks'
    | 'listBuildReleases'
    | 'commitsOfRelease'
    | 'deploysOfRelease'
    | 'bundleUses'
    | 'bundle'
    | 'openFile'
    | 'listAuditEvents'
  >;
  readonly source: ExportSource;
  readonly keysOf: KeysOf;
  readonly clock: Clock;
  /** Version of this program. */
  readonly version: string;
}

export interface ExportOptions extends ExportBounds {
  readonly compress: boolean;
  /** True: projects.ndjson has the client keys, with which events can be sent. */
  readonly withKeys: boolean;
  readonly onProgress?: (events: number) => void;
}

/** Writes everything into a new folder, as `writeFolder` does. */
export async function exportStore(deps: ExportDeps, dir: string, options: ExportOptions): Promise<Manifest> {
  return writeFolder(dir, async (unfinished) => {
    const folders = ['events', CONTENTS_FOLDER].map((name) => join(unfinished, name));
    for (const folder of folders) await mkdir(folder, { mode: 0o700 });
    const manifest = await new Exporter(deps, unfinished, options).run();
    for (const folder of folders) await syncPath(folder);
    return manifest;
  });
}

class Exporter {
  readonly #deps: ExportDeps;
  readonly #dir: string;
  readonly #options: ExportOptions;
  readonly #lines: EventLines;
  readonly #files: ManifestFile[] = [];
  readonly #contents: ManifestContent[] = [];
  #events = 0;
  #damaged = 0;

  constructor(deps: ExportDeps, dir: string, options: ExportOptions) {
    this.#deps = deps;
    this.#dir = dir;
    this.#options = options;
    this.#lines = new EventLines(deps.keysOf);
  }

  async run(): Promise<Manifest> {
    const { store, source, clock, version } = this.#deps;
    const { projectId, since } = this.#options;
    const createdAt = clock.now();
    const all = await store.listProjects();
    const projects = projectId === null ? all : all.filter(({ id }) => id === projectId);
    await this.#write('projects', this.#projects(projects));
    // Before the errors, whose grouping keys they show.
    await this.#writeEvents();
    const errors = await this.#writeErrors(projects);
    await this.#write('releases', lines(source.releases(this.#options), releaseLine));
    const activity = await this.#write('activity', lines(source.activity(this.#options), activityLine));
    const reports = await this.#write('reports', lines(source.reports(this.#options), reportLine));
    const builds = await this.#write('builds', this.#builds(projects));
    await this.#write('commits', this.#commits(projects));
    const uploads = await this.#write('uploads', this.#uploads(projects));
    const audit = await this.#write('audit', this.#audit(projects));
    return {
      format: EXPORT_FORMAT,
      version: EXPORT_VERSION,
      errgate: version,
      store: await store.initMeta('export_id', randomBytes(16).toString('hex')),
      created_at: new Date(createdAt).toISOString(),
      since: since === null ? null : new Date(since).toISOString(),
      counts: { projects: projects.length, errors, events: this.#events, reports, activity, builds, uploads, audit },
      damaged_events: this.#damaged,
      files: this.#files,
      contents: this.#contents,
    };
  }

  async *#projects(projects: readonly Project[]): AsyncGenerator {
    const { store } = this.#deps;
    for (const { id, path, name, visibility, monitorEnabled, createdAt } of projects) {
      const keys = this.#options.withKeys ? await store.listKeys(id) : null;
      const alerts = await store.projectAlerts(id);
      yield {
        id: String(id),
        path,
        name,
        visibility,
        monitor: monitorEnabled,
        created_at: new Date(createdAt).toISOString(),
        alias_ids: await store.listAliases(id),
        ...(alerts !== null && { alerts: exportedAlerts(alerts, await store.listChannels(id)) }),
        ...exportedLinks(await store.projectLinks(id)),
        ...(keys !== null && {
          keys: keys.map(({ publicKey, active }) => ({ public_key: publicKey, active })),
        }),
      };
    }
  }

  /** Oldest first, with deploys in their order, so that the newest is announced last. */
  async *#announced(projects: readonly Project[]): AsyncGenerator<[BuildRelease, Deploy[]]> {
    const { since } = this.#options;
    for (const { id } of projects) {
      for (const build of (await this.#deps.store.listBuildReleases(id)).reverse()) {
        const deploys = (await this.#deps.store.deploysOfRelease(id, build.release)).reverse();
        const times = [build.createdAt, build.releasedAt ?? 0, ...deploys.map(({ finishedAt }) => finishedAt)];
        if (since === null || Math.max(...times) >= since) yield [build, deploys];
      }
    }
  }

  async *#builds(projects: readonly Project[]): AsyncGenerator {
    for await (const [build, deploys] of this.#announced(projects)) yield buildLine(build, deploys);
  }

  async *#commits(projects: readonly Project[]): AsyncGenerator {
    for await (const [{ projectId, release }] of this.#announced(projects)) {
      for (const commit of await this.#deps.store.commitsOfRelease(projectId, release)) yield commitLine(commit);
    }
  }

  /** Writes the content of each upload before its line. One that is removed meanwhile has neither. */
  async *#uploads(projects: readonly Project[]): AsyncGenerator {
    const { store } = this.#deps;
    const { since } = this.#options;
    const written = new Set<string>();
    for (const { id } of projects) {
      for (const use of (await store.bundleUses(id)).reverse()) {
        if (!use.complete || (since !== null && lastNeeded(use) < since)) continue;
        const bundle = await store.bundle(id, use.id);
        if (bundle === null) continue;
        const path = contentPath(bundle);
        const content = await store.openFile(bundle.file);
        if (content === null) continue;
        if (!written.has(path)) this.#contents.push({ path, ...(await writeContent(join(this.#dir, path), content)) });
        written.add(path);
        yield uploadLine(bundle);
      }
    }
  }

  async *#audit(projects: readonly Project[]): AsyncGenerator {
    for (const { id } of projects) yield* auditLines(this.#deps.store, id, this.#options.since);
  }

  async #writeEvents(): Promise<void> {
    const files = new EventFiles(join(this.#dir, 'events'), this.#options.compress);
    try {
      for await (const page of this.#deps.source.events(this.#options)) {
        for (const event of page) {
          const line = this.#lines.lineOf(event);
          if (line === null) this.#damaged += 1;
          else {
            this.#events += 1;
            const written = files.add(line);
            if (written !== undefined) await written;
          }
        }
        this.#options.onProgress?.(this.#events);
      }
      this.#files.push(...(await files.finish()));
    } catch (error) {
      await files.abandon();
      throw error;
    }
  }

  /** Writes errors and their comments, which are read together; returns the number of errors. */
  async #writeErrors(projects: readonly Project[]): Promise<number> {
    const byId = new Map(projects.map((project) => [project.id, project]));
    const keyOf = (groupHash: string): string | null => this.#lines.keyOf(groupHash);
    let errors = 0;
    await this.#withFile('comments', async (comments) => {
      errors = await this.#withFile('errors', async (file) => {
        for await (const error of rowsOf(this.#deps.source.errors(this.#options))) {
          const project = byId.get(error.projectId);
          if (project === undefined) continue;
          await file.add(JSON.stringify(errorLine(error, project, keyOf)));
          for (const line of commentLines(error)) await comments.add(JSON.stringify(line));
        }
      });
    });
    return errors;
  }

  /** Writes one object per line; returns the number of lines. */
  #write(part: string, items: AsyncIterable<unknown>): Promise<number> {
    return this.#withFile(part, async (file) => {
      for await (const item of items) await file.add(JSON.stringify(item));
    });
  }

  /** Creates the file of a part, and makes it durable when it is filled; returns the number of lines. */
  async #withFile(part: string, fill: (file: ExportFile) => Promise<void>): Promise<number> {
    const path = this.#nameOf(part);
    const file = await ExportFile.create(join(this.#dir, path), this.#options.compress);
    try {
      await fill(file);
    } catch (error) {
      await file.abandon();
      throw error;
    }
    const written = await file.finish();
    this.#files.push({ path, ...written });
    return written.lines;
  }

  #nameOf(part: string): string {
    return `${part}.ndjson${this.#options.compress ? '.gz' : ''}`;
  }
}

async function* rowsOf<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const page of pages) yield* page;
}

async function* lines<T>(pages: AsyncIterable<readonly T[]>, toLine: (row: T) => object): AsyncGenerator<object> {
  for await (const row of rowsOf(pages)) yield toLine(row);
}

function releaseLine(row: { projectId: number; release: string; firstSeen: number; lastSeen: number }): object {
  const { projectId, release, firstSeen, lastSeen } = row;
  return {
    version: release,
    firstEvent: new Date(firstSeen).toISOString(),
    lastEvent: new Date(lastSeen).toISOString(),
    _errgate: { project_id: projectId },
  };
}

function commentLines({ id, projectId, origin, ownNotes }: ExportedError): object[] {
  return [...(origin?.notes ?? []), ...ownNotes].map(({ externalId, author, at, text }) => ({
    id: externalId,
    user: { name: author },
    dateCreated: new Date(at).toISOString(),
    data: { text },
    _errgate: { project_id: projectId, error_id: id },
  }));
}
