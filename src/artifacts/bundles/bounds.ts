const MIB = 1024 * 1024;

/** Bounds of an upload that is opened; what reads maps has their size. All sizes in bytes. */
export const BUNDLE_BOUNDS = {
  /** Entries of a zip. */
  entries: 20_000,
  /** Minified file from which function names are read; of a larger one the map alone is used. */
  minifiedBytes: 16 * MIB,
  manifestBytes: 32 * MIB,
  /** Unpacked bytes of all entries together, and their ratio to the bytes of the upload. */
  unpackedBytes: 4096 * MIB,
  /** Compact forms of all maps of an upload together, while it is opened. */
  indexBytes: 2048 * MIB,
  ratio: 200,
} as const;

/** There is no room for the compact forms of an upload. It has the code of a full disk. */
export class NoRoom extends Error {
  readonly code = 'ENOSPC';
}

/** Upload that cannot be used. The message is shown by the tool: what is wrong, and what to do where it is known. */
export class RefusedBundle extends Error {}
