/** File of the file area. */
export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  /** Time of its last `putFile`, milliseconds since the epoch. */
  readonly putAt: number;
}

export type KnownFile = Pick<StoredFile, 'name' | 'bytes'>;

/**
 * File area of the store, for content that is too large for rows. Names are parts of `a-z`, `0-9` and `-` joined by
 * `/`, such as `maps/3f/3f…`; equal content has one name. Rows name files: a file is written before its row, and removed
 * after it (`removeFile`).
 */
export interface FileStore {
  /**
   * Writes a file as a whole, or not at all. One of the name is kept, and counts as written now; `content` is not read
   * then. `bytes`: those of the content; a file that has others is replaced. So is one that cannot be read. Returns its
   * bytes. Throws `store_unavailable` when the disk is full.
   */
  putFile(name: string, content: AsyncIterable<Uint8Array>, bytes?: number): Promise<number>;
  /** Content as a whole, for files that are small by their kind; null when there is none, or it cannot be read. */
  readFile(name: string): Promise<Uint8Array | null>;
  /** Content in parts; null when there is none. */
  openFile(name: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Files with these names, by name, without those that cannot be read: what a damaged disk or database lost. */
  knownFiles(names: readonly string[]): Promise<KnownFile[]>;
  /** Those of the names that are there; they count as written now. */
  renewFiles(names: readonly string[]): Promise<string[]>;
  /** Files whose name begins with the prefix, by name, after one; `limit` 1 to 1,000. */
  listFiles(prefix: string, after: string | null, limit: number): Promise<StoredFile[]>;
  /** Removes a file that was not written at or after a time; false when it was, or is gone. */
  removeFile(name: string, notPutSince: number): Promise<boolean>;
  /** Removes what processes that ended began to write or to remove before a time, a day ago or earlier. */
  removeUnfinished(begunBefore: number): Promise<void>;
}
