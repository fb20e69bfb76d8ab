import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readable, Writable } from 'node:stream';
import type { SignalSource } from './stop-signals.ts';

/** Done, failed, wrong usage: the three exit codes. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

type Output = Writable & {
  readonly isTTY?: boolean;
  /** Characters in a line of the terminal; absent where there is none. */
  readonly columns?: number;
};

/** Input and output of one call of the command line; `main.ts` passes those of the process. */
export interface Surroundings {
  /** The variables that the configuration is read from. */
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Results. */
  readonly stdout: Output;
  /** Warnings, errors, questions and progress. */
  readonly stderr: Output;
  /** Source of SIGINT and SIGTERM, which stop `serve`. */
  readonly signals: SignalSource;
}

interface Invocation extends Surroundings {
  exitCode: ExitCode;
}

const current = new AsyncLocalStorage<Invocation>();

/** Call of `invokeAlone`, the only one of its process. */
let alone: Invocation | undefined;

function running(): Invocation {
  const invocation = current.getStore() ?? alone;
  if (invocation === undefined) throw new Error('a command runs only inside invoke()');
  return invocation;
}

/**
 * Runs one call of the command line; its exit code is that of the last `endWith`, else `EXIT.done`. All that `work`
 * starts has these surroundings: calls that run at the same time in one process do not share any.
 */
export function invoke(given: Surroundings, work: () => Promise<void>): Promise<ExitCode> {
  return current.run({ ...given, exitCode: EXIT.done }, async () => {
    await work();
    return running().exitCode;
  });
}

/**
 * Runs the only call of a process, as `invoke` does. On Node.js before 24 a used AsyncLocalStorage costs every promise
 * of the process a hook: 30 µs of processor time for each event that `serve` accepts.
 */
export async function invokeAlone(given: Surroundings, work: () => Promise<void>): Promise<ExitCode> {
  alone = { ...given, exitCode: EXIT.done };
  await work();
  return alone.exitCode;
}

/** Returns the surroundings of the running call; throws outside of `invoke`. */
export function surroundings(): Surroundings {
  return running();
}

/** Sets the exit code of the call that is running; the call itself goes on. */
export function endWith(exitCode: ExitCode): void {
  running().exitCode = exitCode;
}
