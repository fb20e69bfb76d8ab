import type { ArtifactMap, BundleKind } from '../../domain/artifacts/artifact.ts';

/** Upload to open, for the worker. */
export interface UploadToOpen {
  readonly path: string;
  /** `bundle`: source files; `mapping`: one mapping of R8 as text; `mappings`: a zip of them. */
  readonly form: 'bundle' | 'mapping' | 'mappings';
  /** Debug id of a single mapping. */
  readonly debugId: string | null;
  /** Folder for compact forms. */
  readonly outDir: string;
  /** Bytes that they may take on the disk; beyond, it counts as full. */
  readonly roomBytes: number;
  /** Places of maps that exceeded the memory of an earlier worker. */
  readonly tooLarge: readonly number[];
}

/** Map as the worker found it; `content`: its compact form in `outDir`, by SHA-256. */
export interface OpenedMap extends Pick<ArtifactMap, 'place' | 'kind' | 'debugId' | 'url' | 'problem' | 'bytes'> {
  readonly content: string | null;
}

export interface OpenedUpload {
  readonly kind: BundleKind;
  readonly release: string | null;
  readonly dist: string | null;
  /** Number of its files. */
  readonly files: number;
  readonly maps: readonly OpenedMap[];
}

/** Messages of the worker. */
export type OpeningNotice =
  /** The map of this place is being read. */
  | { readonly kind: 'place'; readonly place: number }
  | { readonly kind: 'opened'; readonly upload: OpenedUpload }
  /** The upload cannot be used; a sentence for people. */
  | { readonly kind: 'refused'; readonly detail: string };
