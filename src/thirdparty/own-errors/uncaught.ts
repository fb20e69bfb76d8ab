import type { Reporter } from './reporter.ts';

/** Names of the handlers in reports. A rejection without a handler comes as an uncaught exception too. */
const HANDLERS = { uncaughtException: 'onuncaughtexception', unhandledRejection: 'onunhandledrejection' } as const;

/**
 * Reports uncaught errors and then throws them again, so that Node.js prints them and exits as it does without this, at
 * the latest after `limitMs` milliseconds. Returns the function that stops it.
 */
export function reportUncaught(reporter: Reporter, limitMs: number): () => void {
  const stop = (): void => void process.off('uncaughtException', onUncaught);
  const onUncaught = (thrown: unknown, origin: NodeJS.UncaughtExceptionOrigin): void => {
    const error = thrown instanceof Error ? thrown : new Error(`a thrown ${typeof thrown}, which is no error`);
    reporter.reportUncaught(error, HANDLERS[origin]);
    void reporter.flush(limitMs).finally(() => {
      stop();
      setImmediate(() => {
        throw thrown;
      });
    });
  };
  process.on('uncaughtException', onUncaught);
  return stop;
}
