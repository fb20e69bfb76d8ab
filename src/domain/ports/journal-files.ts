/**
 * The few file operations the journal's safety rests on. The real one is Node's file system; the
 * power-cut test has one that forgets every byte and directory entry that was not synced.
 */
export interface JournalFiles {
  /** Makes the directory and its parents where they are missing; their entries survive a power cut afterwards. */
  makeDir(path: string): Promise<void>;
  /** Names in the directory, sorted; empty when it does not exist. */
  list(dir: string): Promise<string[]>;
  /** Creates a file that must not exist yet. Its directory entry is durable only after `syncDir`. */
  create(path: string): Promise<AppendFile>;
  size(path: string): Promise<number>;
  /** Reads up to `length` bytes from `offset`; fewer at the end of the file. */
  read(path: string, offset: number, length: number): Promise<Buffer>;
  /** Whole content; null when there is no such file. */
  readAll(path: string): Promise<Buffer | null>;
  /** Writes beside, syncs, renames over, syncs the directory: afterwards the new content survives a power cut. */
  replace(path: string, content: Uint8Array): Promise<void>;
  /** Fine when there is no such file. */
  remove(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  syncDir(dir: string): Promise<void>;
  /** Makes the present content of an existing file survive a power cut: for files of an earlier process. */
  syncFile(path: string): Promise<void>;
}

export interface AppendFile {
  /** Appends all buffers in order; resolves when the operating system has them, which a power cut may undo. */
  append(buffers: readonly Uint8Array[]): Promise<void>;
  /** Makes everything appended before survive a power cut. After a failure nothing is certain: abandon the file. */
  sync(): Promise<void>;
  close(): Promise<void>;
}
