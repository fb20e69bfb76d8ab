import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from './logger.ts';

/** True within work whose errors are only logged and not reported: see `withoutReporting`. */
const onTheWay = new AsyncLocalStorage<true>();
/** Number of calls of `withoutReporting` whose work has not ended. */
let underWay = 0;

/**
 * Runs `work` without reporting its errors, because reporting causes them; they are only logged. This holds until the
 * promise that `work` returns is settled.
 */
export function withoutReporting<T>(work: () => T): T {
  underWay += 1;
  try {
    const result = onTheWay.run(true, work);
    if (result instanceof Promise) void result.then(ended, ended);
    else ended();
    return result;
  } catch (error) {
    ended();
    throw error;
  }
}

/** Disables the storage where nothing needs it: Node.js 20 and 22 would follow every promise for it. */
function ended(): void {
  underWay -= 1;
  if (underWay === 0) onTheWay.disable();
}

export interface ErrorReport {
  /** Thrown error, or an error with the logged message. */
  readonly error: Error;
  readonly message: string;
  /** Members of the log line that are safe to send. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Log members that are sent; all others may be confidential. */
const FACTS = ['request_id', 'method', 'path'] as const;

function reportOf(bindings: unknown, text: unknown): ErrorReport {
  const members = typeof bindings === 'object' && bindings !== null ? (bindings as Record<string, unknown>) : {};
  const message = typeof bindings === 'string' ? bindings : typeof text === 'string' ? text : 'error';
  const error = members.err instanceof Error ? members.err : new Error(message);
  const facts = FACTS.flatMap((name) => {
    const fact = members[name];
    return typeof fact === 'string' ? [[name, fact] as const] : [];
  });
  return { error, message, facts: Object.fromEntries(facts) };
}

/** Wraps a logger that also reports each logged error once, except errors of reporting itself. */
export function reportingLogger(logger: Logger, report: (report: ErrorReport) => void): Logger {
  const error = (bindings: unknown, text?: string): void => {
    logger.error(bindings, text);
    if (onTheWay.getStore() !== true) withoutReporting(() => report(reportOf(bindings, text)));
  };
  return {
    error: error,
    warn: logger.warn.bind(logger),
    info: logger.info.bind(logger),
    debug: logger.debug.bind(logger),
    child: (bindings) => reportingLogger(logger.child(bindings), report),
  };
}
