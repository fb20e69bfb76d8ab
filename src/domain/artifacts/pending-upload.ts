/** Debug file: a mapping of R8, or a native file. */
export interface DebugFile {
  readonly name: string;
  /** Null: the tool names none. */
  readonly debugId: string | null;
}

/** Upload that a build tool sent as a whole and that is not opened yet. It has a row for each of its projects. */
export interface PendingUpload {
  readonly projectId: number;
  /** Lower-case hex SHA-1 of what was asked for: the rows of one request have the same. */
  readonly id: string;
  /** Lower-case hex SHA-1 of the uploaded file. */
  readonly checksum: string;
  /** Names of its chunks in the file area, in their order. */
  readonly chunks: readonly string[];
  /** Null: those of the manifest. */
  readonly release: string | null;
  readonly dist: string | null;
  /** Null: the upload is a bundle of source files. */
  readonly debugFile: DebugFile | null;
  readonly askedAt: number;
  /** Times that a process began to open it and was killed. */
  readonly tries: number;
}
