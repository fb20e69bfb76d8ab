import { randomUUID } from 'node:crypto';
import { framesOf, type StackFrame } from './v8-frames.ts';

/** Name of the client in events and in `X-Sentry-Auth`. */
export const CLIENT_NAME = 'errgate.node';

/** Maximum exceptions of an event: an error, its causes and the errors of an AggregateError. */
const MAX_EXCEPTIONS = 6;
/** Maximum characters of a message. */
const MAX_VALUE = 4096;

interface Mechanism {
  readonly type: string;
  readonly handled: boolean;
  readonly source?: string;
  readonly exception_id?: number;
  readonly parent_id?: number;
}

interface Exception {
  readonly type: string;
  readonly value: string;
  readonly mechanism: Mechanism;
  readonly stacktrace?: { readonly frames: readonly StackFrame[] };
}

/** Event of the Sentry protocol about one error of this process. */
export interface ErrorEvent {
  /** 32 lower-case hex digits. */
  readonly event_id: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly platform: 'node';
  readonly level: 'error' | 'fatal';
  readonly environment: string;
  readonly release: string;
  readonly sdk: { readonly name: string; readonly version: string };
  readonly contexts: { readonly runtime: { readonly name: string; readonly version: string } };
  readonly tags: Readonly<Record<string, string>>;
  readonly exception: { readonly values: readonly Exception[] };
}

export interface EventFacts {
  /** Version of errgate. */
  readonly version: string;
  readonly environment: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** What caught the error where no code of errgate did; absent: it was handled. */
  readonly uncaughtBy?: string;
}

/** An error with the errors that it names, the outermost first. Own members of errors are never read. */
function exceptionsOf(error: Error, uncaughtBy: string | undefined): Exception[] {
  const found: Exception[] = [];
  const seen = new Set<Error>();
  const add = (one: unknown, source?: string, parent?: number): void => {
    if (!(one instanceof Error) || seen.has(one) || found.length >= MAX_EXCEPTIONS) return;
    seen.add(one);
    const id = found.length;
    const frames = framesOf(one);
    const link =
      source === undefined
        ? { type: uncaughtBy ?? 'generic', handled: uncaughtBy === undefined }
        : { type: 'chained', handled: uncaughtBy === undefined, source };
    found.push({
      type: one.name,
      value: one.message.slice(0, MAX_VALUE),
      mechanism: { ...link, exception_id: id, ...(parent === undefined ? {} : { parent_id: parent }) },
      ...(frames.length === 0 ? {} : { stacktrace: { frames } }),
    });
    add(one.cause, 'cause', id);
    if (one instanceof AggregateError) one.errors.forEach((each, index) => add(each, `errors[${index}]`, id));
  };
  add(error);
  return found;
}

/** Makes the event of an error. It holds types, messages and stacks of the error and its causes, and the given facts. */
export function errorEvent(error: Error, { version, environment, tags = {}, uncaughtBy }: EventFacts): ErrorEvent {
  return {
    event_id: randomUUID().replaceAll('-', ''),
    timestamp: Date.now() / 1000,
    platform: 'node',
    level: uncaughtBy === undefined ? 'error' : 'fatal',
    environment,
    release: `errgate@${version}`,
    sdk: { name: CLIENT_NAME, version },
    contexts: { runtime: { name: 'node', version: process.version } },
    tags,
    // The protocol has the outermost error last.
    exception: { values: exceptionsOf(error, uncaughtBy).toReversed() },
  };
}
