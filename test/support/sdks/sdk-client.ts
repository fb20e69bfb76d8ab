/** Result of a program. */
export interface ProgramRun {
  /** Exit status; null after a time limit. */
  readonly status: number | null;
  /** Output on stdout and stderr. */
  readonly log: string;
}

/** Facts about the program of an SDK that errgate must report. */
export interface Story {
  readonly exception: {
    readonly title: string;
    readonly culprit: string;
    /** Type of the causing exception. */
    readonly cause: string;
    /** Functions of the newest frames: the calling one, then the failing one. */
    readonly functions: readonly [string, string];
  };
  readonly message: string;
  /** Null for SDKs without sessions. */
  readonly sessions: { readonly total: number; readonly errored: number; readonly users: number } | null;
}

/** Reason why a client cannot run on this machine, with the remedy. */
export interface Missing {
  readonly missing: string;
}

export interface SdkClient {
  /** Name of the SDK's package. */
  readonly name: string;
  /** Version of the package; events must report the same. */
  readonly version: string;
  readonly story: Story;
  /** Warnings and errors in its debug log. */
  readonly complaints: RegExp;
  /**
   * Builds the program unless an earlier run did. Returns a function that starts it with a DSN.
   * Returns `Missing` without the toolchain or the package; throws if the program itself fails to build.
   * `mayTakeLong`: whether a build of more than half a minute is begun; otherwise such a client is missing too.
   */
  prepare(mayTakeLong?: boolean): Promise<((dsn: string) => Promise<ProgramRun>) | Missing>;
  /** Runs a source text as a program with this SDK, which must be prepared. */
  runText(text: string): Promise<ProgramRun>;
}

/** SDKs of one language, newest first. */
export interface SdkLanguage {
  readonly language: string;
  readonly clients: readonly SdkClient[];
}
