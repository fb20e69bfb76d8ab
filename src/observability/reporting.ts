import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from './logger.ts';

/** Set while an error is being reported, including all work that follows from it. */
const onTheWay = new AsyncLocalStorage<true>();

/** Runs `work` without reporting its errors, because reporting causes them; they are only logged. */
export function withoutReporting<T>(work: () => T): T {
  return onTheWay.run(true, work);
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
