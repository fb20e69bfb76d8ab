import type { SourceKind } from '../../domain/imports/import.ts';
import type { ChosenProject } from '../import-run.ts';
import type { ProjectsReader, RemoteKey, RemoteProject } from '../tracker-reader.ts';

/** Project that is wanted: its path there or the last segment of it, and its path here, null: the same. */
export type WantedName = Pick<ChosenProject, 'slug' | 'path'>;

/** Project of a file: it has an id, and its slug is its path there. */
export type FileProject = RemoteProject & { readonly id: string };

/** Projects of a file that are to be imported, and their keys. */
export class FileProjects implements ProjectsReader {
  readonly kind: SourceKind;
  readonly version: string | null;
  readonly cannot: readonly string[] = [];
  /** Projects by their paths there that are to be imported; null: all. */
  readonly chosen: ChosenProject[] | null;
  /** Ids of projects that are not to be imported. */
  readonly skipped = new Set<string>();
  /** Names of projects to be imported that the file does not have. */
  readonly missing: Set<string>;
  readonly #wanted: readonly WantedName[] | null;
  /** By their paths there. */
  readonly #projects = new Map<string, { readonly remote: FileProject; readonly keys: readonly RemoteKey[] }>();

  /** `wanted`: null for all. */
  constructor(kind: SourceKind, version: string | null, wanted: readonly WantedName[] | null) {
    this.kind = kind;
    this.version = version;
    this.chosen = wanted === null ? null : [];
    this.missing = new Set(wanted?.map(({ slug }) => slug));
    this.#wanted = wanted;
  }

  /** Adds a project, if it is wanted. Returns the path that it should have here; null: it is not wanted. */
  add(remote: FileProject, keys: readonly RemoteKey[]): string | null {
    const { id, slug } = remote;
    if (!this.wants(slug)) {
      this.skipped.add(id);
      return null;
    }
    const path = this.#nameOf(slug)?.path ?? null;
    this.chosen?.push({ slug, path, projectId: null });
    this.#projects.set(slug, { remote, keys });
    return path ?? slug;
  }

  /** True: a project with this path there is wanted; its name is missing no more. */
  wants(path: string): boolean {
    const name = this.#nameOf(path);
    if (name !== undefined) this.missing.delete(name.slug);
    return this.#wanted === null || name !== undefined;
  }

  async *projects(): AsyncGenerator<FileProject> {
    for (const { remote } of this.#projects.values()) yield remote;
  }

  async *keys(slug: string): AsyncGenerator<RemoteKey> {
    yield* this.#projects.get(slug)?.keys ?? [];
  }

  #nameOf(path: string): WantedName | undefined {
    const last = path.slice(path.lastIndexOf('/') + 1);
    return this.#wanted?.find(({ slug }) => slug === path) ?? this.#wanted?.find(({ slug }) => slug === last);
  }
}
