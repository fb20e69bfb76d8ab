/** Name of the format in a manifest. */
export const EXPORT_FORMAT = 'errgate-export';
/** Version of the format. A reader refuses later ones. */
export const EXPORT_VERSION = 1;
export const MANIFEST_FILE = 'manifest.json';

export interface ManifestFile {
  /** Path within the export, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly lines: number;
  readonly sha256: string;
}

/** File of an export that has no lines. */
export type ManifestContent = Omit<ManifestFile, 'lines'>;

/** Written last: an export without it is incomplete. */
export interface Manifest {
  readonly format: typeof EXPORT_FORMAT;
  readonly version: typeof EXPORT_VERSION;
  /** Version of the program that wrote it. */
  readonly errgate: string;
  /** Random id of the exporting store. */
  readonly store: string;
  /** RFC 3339. */
  readonly created_at: string;
  /** RFC 3339; null: everything. */
  readonly since: string | null;
  readonly counts: {
    readonly projects: number;
    readonly errors: number;
    readonly events: number;
    /** Absent in exports of versions without reports. */
    readonly reports?: number;
    /** Entries of activity logs; absent in exports of versions without them. */
    readonly activity?: number;
    /** Releases that builds announced, and uploads of build tools; absent in exports of versions without them. */
    readonly builds?: number;
    readonly uploads?: number;
    /** Events of the audit logs of projects; absent in exports of versions without them. */
    readonly audit?: number;
  };
  /** Events whose stored bytes are damaged, which were left out. */
  readonly damaged_events: number;
  readonly files: readonly ManifestFile[];
  /** Uploads of build tools as they were sent; absent in exports of versions without them. */
  readonly contents?: readonly ManifestContent[];
}
