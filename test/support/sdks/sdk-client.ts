/** What a program left behind. */
export interface ProgramRun {
  /** Null when it had to be ended. */
  readonly status: number | null;
  /** Everything it wrote to stdout and stderr. */
  readonly log: string;
}

/** What the program of an SDK does, as errgate must tell it. */
export interface Story {
  readonly exception: {
    readonly title: string;
    readonly culprit: string;
    /** Type of the exception that caused it. */
    readonly cause: string;
    /** The newest frames, oldest call first: the one that calls and the one that fails. */
    readonly functions: readonly [string, string];
  };
  readonly message: string;
  /** Null where the SDK keeps no sessions. */
  readonly sessions: { readonly total: number; readonly errored: number; readonly users: number } | null;
}

/** Why something cannot run on this machine, and what would change that. */
export interface Missing {
  readonly missing: string;
}

export interface SdkClient {
  /** The SDK's package, in the words of its package manager. */
  readonly name: string;
  /** As its package manager knows it; the event must say the same. */
  readonly version: string;
  readonly story: Story;
  /** Warnings and errors in its debug log. */
  readonly complaints: RegExp;
  /**
   * Makes the program, or finds it made by an earlier run; what starts it with a DSN. Missing where the toolchain
   * or the package cannot be had; throws where the program itself is wrong.
   */
  prepare(): Promise<((dsn: string) => Promise<ProgramRun>) | Missing>;
  /** Runs the text of a file as a program with this SDK, which must be prepared. */
  runText(text: string): Promise<ProgramRun>;
}

/** One language, its SDKs newest first. */
export interface SdkLanguage {
  readonly language: string;
  readonly clients: readonly SdkClient[];
}
