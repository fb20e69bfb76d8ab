/**
 * File operations that the journal depends on. The real one uses Node's file system. The power-cut test uses one that
 * drops all unsynced bytes and directory entries.
 */
export interface JournalFiles {
  /** Creates the directory and missing parents; their entries are durable afterwards. */
  makeDir(path: string): Promise<void>;
  /** Names in the directory, sorted; empty when it does not exist. */
  list(dir: string): Promise<string[]>;
  /**
   * Creates a file that must not exist. Its directory entry is durable only after `syncDir`. `synced`: every append is
   * durable when it resolves, for the price of one call of the system instead of two.
   */
  create(path: string, synced?: 'synced'): Promise<AppendFile>;
  size(path: string): Promise<number>;
  /**
   * Reads up to `length` bytes from `offset`; fewer at the end of the file. `into`: memory of at least `length` bytes
   * that the result may be a view of.
   */
  read(path: string, offset: number, length: number, into?: Buffer): Promise<Buffer>;
  /** Whole content; null when there is no such file. */
  readAll(path: string): Promise<Buffer | null>;
  /** Writes a temporary file, syncs, renames and syncs the directory: the new content is durable afterwards. */
  replace(path: string, content: Uint8Array): Promise<void>;
  /** Ignores a missing file. */
  remove(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  syncDir(dir: string): Promise<void>;
  /** Makes the content of an existing file durable, for files of an earlier process. */
  syncFile(path: string): Promise<void>;
}

export interface AppendFile {
  /**
   * Appends all buffers in order; resolves when the operating system has them, which is durable only for a `synced`
   * file. After a failure the state is unknown: abandon the file.
   */
  append(buffers: readonly Uint8Array[]): Promise<void>;
  /** Makes all appended data durable. After a failure the state is unknown: abandon the file. */
  sync(): Promise<void>;
  close(): Promise<void>;
}
