import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { NormalisedEvent } from '../domain/event.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { ExportBounds, ExportedEvent, ExportSource } from '../domain/ports/export-source.ts';
import type { Store } from '../domain/ports/store.ts';
import type { Project } from '../domain/project.ts';
import { syncPath } from '../lib/durable-files.ts';
import { exportedAlerts } from './alert-rules.ts';
import { activityLine } from './activity-line.ts';
import { errorLine } from './error-line.ts';
import { ExportFile } from './export-file.ts';
import { KnownKeys, type KeysOf } from './known-keys.ts';
import { EXPORT_FORMAT, EXPORT_VERSION, type Manifest, type ManifestFile } from './manifest.ts';
import { exportedLinks } from './project-links.ts';
import { reportLine } from './report-line.ts';
import { toSdkEvent } from './sdk-event.ts';
import { writeFolder } from './write-folder.ts';

/** Characters after which the next file of events begins: reading again goes file by file. */
const EVENTS_FILE_CHARACTERS = 256 * 1024 * 1024;

export interface ExportDeps {
  readonly store: Pick<
    Store,
    'listProjects' | 'listAliases' | 'listKeys' | 'initMeta' | 'projectAlerts' | 'listChannels' | 'projectLinks'
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
    const events = join(unfinished, 'events');
    await mkdir(events, { mode: 0o700 });
    const manifest = await new Exporter(deps, unfinished, options).run();
    await syncPath(events);
    return manifest;
  });
}

class Exporter {
  readonly #deps: ExportDeps;
  readonly #dir: string;
  readonly #options: ExportOptions;
  readonly #keys: KnownKeys;
  readonly #files: ManifestFile[] = [];
  #events = 0;
  #damaged = 0;

  constructor(deps: ExportDeps, dir: string, options: ExportOptions) {
    this.#deps = deps;
    this.#dir = dir;
    this.#options = options;
    this.#keys = new KnownKeys(deps.keysOf);
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
    const byId = new Map(projects.map((project) => [project.id, project]));
    const keyOf = (groupHash: string): string | null => this.#keys.of(groupHash);
    const errors = await this.#write('errors', lines(source.errors(this.#options), (error) => {
      const project = byId.get(error.projectId);
      return project === undefined ? null : errorLine(error, project, keyOf);
    })); // prettier-ignore
    await this.#write('releases', lines(source.releases(this.#options), releaseLine));
    await this.#write('comments', comments(source, this.#options));
    const activity = await this.#write('activity', lines(source.activity(this.#options), activityLine));
    const reports = await this.#write('reports', lines(source.reports(this.#options), reportLine));
    return {
      format: EXPORT_FORMAT,
      version: EXPORT_VERSION,
      errgate: version,
      store: await store.initMeta('export_id', randomBytes(16).toString('hex')),
      created_at: new Date(createdAt).toISOString(),
      since: since === null ? null : new Date(since).toISOString(),
      counts: { projects: projects.length, errors, events: this.#events, reports, activity },
      damaged_events: this.#damaged,
      files: this.#files,
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

  async #writeEvents(): Promise<void> {
    let file: ExportFile | null = null;
    let name = '';
    try {
      for await (const page of this.#deps.source.events(this.#options)) {
        for (const event of page) {
          if (file === null) {
            name = this.#nameOf(`events/${String(this.#files.length).padStart(5, '0')}`);
            file = await ExportFile.create(join(this.#dir, name), this.#options.compress);
          }
          const line = this.#eventLine(event);
          if (line === null) continue;
          const written = file.add(line);
          if (written !== undefined) await written;
          if (file.characters >= EVENTS_FILE_CHARACTERS) {
            this.#files.push({ path: name, ...(await file.finish()) });
            file = null;
          }
        }
        this.#options.onProgress?.(this.#events);
      }
      if (file !== null) this.#files.push({ path: name, ...(await file.finish()) });
    } catch (error) {
      await file?.abandon().catch(() => undefined);
      throw error;
    }
  }

  #eventLine(stored: ExportedEvent): string | null {
    const event = stored.json === null ? null : parse(stored.json);
    if (event === null) {
      this.#damaged += 1;
      return null;
    }
    this.#events += 1;
    const { projectId, errorId, receivedAt, imported, groupHash } = stored;
    const own = {
      project_id: projectId,
      error_id: errorId,
      group_key: this.#keys.note(stored, event),
      group_hash: groupHash.groupingVersion === 0 ? null : groupHash.groupHash,
      received: new Date(receivedAt).toISOString(),
      imported,
    };
    return JSON.stringify(Object.assign(toSdkEvent(event), { _errgate: own }));
  }

  /** Writes one object per line; returns the number of lines. */
  async #write(part: string, items: AsyncIterable<unknown>): Promise<number> {
    const path = this.#nameOf(part);
    const file = await ExportFile.create(join(this.#dir, path), this.#options.compress);
    try {
      for await (const item of items) await file.add(JSON.stringify(item));
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

function parse(json: Buffer): NormalisedEvent | null {
  try {
    return JSON.parse(json.toString('utf8')) as NormalisedEvent;
  } catch {
    return null;
  }
}

/** Converts rows page by page; leaves out those without a line. */
async function* lines<T>(
  pages: AsyncIterable<readonly T[]>,
  toLine: (row: T) => object | null,
): AsyncGenerator<object> {
  for await (const page of pages) {
    for (const row of page) {
      const line = toLine(row);
      if (line !== null) yield line;
    }
  }
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

async function* comments(source: ExportSource, bounds: ExportBounds): AsyncGenerator<object> {
  for await (const page of source.errors(bounds)) {
    for (const { id, projectId, origin, ownNotes } of page) {
      for (const { externalId, author, at, text } of [...(origin?.notes ?? []), ...ownNotes]) {
        const own = { project_id: projectId, error_id: id };
        yield {
          id: externalId,
          user: { name: author },
          dateCreated: new Date(at).toISOString(),
          data: { text },
          _errgate: own,
        };
      }
    }
  }
}
