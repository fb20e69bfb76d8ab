/**
 * What an upload holds. `sourcemaps`: minified files and their maps; `proguard`: a mapping of R8; `debug`: a native
 * debug file, which is listed and not used.
 */
export const BUNDLE_KINDS = ['sourcemaps', 'proguard', 'debug'] as const;
export type BundleKind = (typeof BUNDLE_KINDS)[number];

/** Files of an upload that cannot be mapped, for one reason. */
export interface ArtifactProblem {
  /** A sentence without a period. */
  readonly reason: string;
  /** Number of these files. */
  readonly count: number;
  /** Addresses of the first of them, else their debug ids. */
  readonly files: readonly string[];
}

/** Upload of a build tool. */
export interface ArtifactBundle {
  readonly projectId: number;
  /** Lower-case hex SHA-1 of the uploaded file: the same upload twice is one bundle. */
  readonly id: string;
  readonly kind: BundleKind;
  /** Null: found by debug ids alone. */
  readonly release: string | null;
  readonly dist: string | null;
  /** Without repetitions, in lower case with hyphens. */
  readonly debugIds: readonly string[];
  /** Number of its files. */
  readonly files: number;
  /** Bytes of the upload. */
  readonly size: number;
  /** Bytes of the upload and of what was made of it, in the file area. */
  readonly storedBytes: number;
  /** Name of the upload in the file area. */
  readonly file: string;
  /** False: its maps are still being written, or their writing was interrupted. */
  readonly complete: boolean;
  /** Number of its maps that were written when it was completed; null: an earlier version did not count them. */
  readonly maps: number | null;
  /** The most frequent first, some reasons at most. */
  readonly problems: readonly ArtifactProblem[];
  readonly uploadedAt: number;
  /** Time of a mapped frame, exact to an hour; null: never. */
  readonly lastUsedAt: number | null;
}

/** Upload without what the store finds out when it writes it. */
export type NewBundle = Omit<ArtifactBundle, 'complete' | 'maps' | 'problems'>;

/** Map of a minified file, or a mapping of R8, as look-ups find it. */
export interface ArtifactMap {
  readonly projectId: number;
  readonly bundleId: string;
  /** Number within its bundle. */
  readonly place: number;
  readonly kind: 'source_map' | 'proguard';
  /** In lower case with hyphens; null: found by its address alone. Not a hash of the content: the newest is meant. */
  readonly debugId: string | null;
  /** Address of the minified file as the tool wrote it: `~/assets/app.js`, or with a host. Null: found by its id alone. */
  readonly url: string | null;
  /** Those of its bundle. */
  readonly release: string | null;
  readonly dist: string | null;
  /** Name of the compact form in the file area; null: there is none, see `problem`. */
  readonly file: string | null;
  /** Why the file cannot be mapped, as a sentence without a period; null: it can. */
  readonly problem: string | null;
  /** Bytes of the compact form. */
  readonly bytes: number;
  readonly uploadedAt: number;
}

/** Kind, size and use of an upload, by which those to remove are found. */
export type BundleUse = Pick<ArtifactBundle, 'id' | 'kind' | 'storedBytes' | 'complete' | 'uploadedAt' | 'lastUsedAt'>;

/** What changes when an upload is written again or used: one that is removed must still be as it was seen. */
export type BundleSeen = Pick<ArtifactBundle, 'uploadedAt' | 'lastUsedAt' | 'complete'>;

export const storedBytesOf = (bundles: readonly BundleUse[]): number =>
  bundles.reduce((sum, { storedBytes }) => sum + storedBytes, 0);

/** Returns the names of the files that the rows of an upload name, with their bytes. */
export function filesOf({ file, size }: ArtifactBundle, maps: readonly ArtifactMap[]): Map<string, number> {
  return new Map([[file, size], ...maps.flatMap((map) => (map.file === null ? [] : [[map.file, map.bytes] as const]))]);
}

/** Returns a debug id in lower case with hyphens; null for a text that is none. An appendix of 1 to 8 digits stays. */
export function readDebugId(text: string): string | null {
  const match = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})(-?[0-9a-f]{1,8})?$/i.exec(
    text,
  );
  if (match === null) return null;
  const [, a = '', b = '', c = '', d = '', e = '', appendix = ''] = match;
  const id = [a, b, c, d, e].join('-');
  return `${id}${appendix === '' ? '' : `-${appendix.replace('-', '')}`}`.toLowerCase();
}

/** Returns the debug id in the name that tools give a mapping of R8, `/proguard/<uuid>.txt`; null for another name. */
export function mappingId(name: string): string | null {
  const match = /^\/?proguard\/([0-9a-f-]{32,36})\.txt$/i.exec(name);
  return match?.[1] === undefined ? null : readDebugId(match[1]);
}

/** Reasons that an upload keeps, and files that each of them names. */
const MAX_REASONS = 10;
const MAX_FILES = 5;

/** Returns why maps of an upload cannot be used, by reason. */
export function problemsOf(maps: readonly Pick<ArtifactMap, 'problem' | 'url' | 'debugId'>[]): ArtifactProblem[] {
  const byReason = new Map<string, { count: number; files: string[] }>();
  for (const { problem, url, debugId } of maps) {
    if (problem === null) continue;
    const known = byReason.get(problem) ?? { count: 0, files: [] };
    known.count += 1;
    const name = url ?? debugId;
    if (name !== null && known.files.length < MAX_FILES) known.files.push(name);
    byReason.set(problem, known);
  }
  return [...byReason]
    .map(([reason, found]) => ({ reason, ...found }))
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_REASONS);
}

/** Digits from which on a text is sought in ids. */
const MIN_ID_DIGITS = 4;

/**
 * Tells whether an upload is meant by a text: its release or dist contains it, or its id or a debug id begins with it.
 * Case and the hyphens of ids do not matter.
 */
export function isArtifactNamed(
  { id, release, dist, debugIds }: Pick<ArtifactBundle, 'id' | 'release' | 'dist' | 'debugIds'>,
  text: string,
): boolean {
  const wanted = text.trim().toLowerCase();
  if ([release, dist].some((name) => name?.toLowerCase().includes(wanted))) return true;
  const digits = wanted.replaceAll('-', '');
  if (wanted !== '' && digits.length < MIN_ID_DIGITS) return false;
  return [id, ...debugIds].some((one) => one.replaceAll('-', '').startsWith(digits));
}
