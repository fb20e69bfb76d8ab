import type { Level } from '../../src/domain/events/event.ts';
import type { ErrorBackend, IntegratedErrors } from '../../src/domain/ports/error-backend.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { TrackedError } from '../../src/domain/errors/tracked-error.ts';
import type { ErrorQuery } from '../../src/domain/search/error-query.ts';
import type { ErrorStatus } from '../../src/domain/errors/error-status.ts';
import { isAppErrorWith } from '../support/app-error-code.ts';

export interface SeedEvent {
  readonly at: number;
  readonly user?: string;
  readonly environment?: string;
  readonly release?: string;
}

/** An error with its events; `name` is a word that stands in its message and nowhere else. */
export interface SeedError {
  readonly name: string;
  /** Null makes it a message without an exception. */
  readonly type?: string | null;
  readonly message?: string;
  readonly culprit?: string;
  readonly level?: Level;
  readonly status?: ErrorStatus;
  readonly events: readonly SeedEvent[];
}

/** One backend over a fresh world with two projects in it. */
export interface BackendHarness {
  readonly backend: ErrorBackend;
  /** Null where an external tracker stores the errors. */
  readonly integratedErrors: IntegratedErrors | null;
  readonly project: Project;
  /** Another one that the same backend serves. */
  readonly foreign: Project;
  /** The frames of every exception, oldest call first, as `function:line`. */
  readonly frames: readonly string[];
  /** False for trackers whose events do not name their environment. */
  readonly namesEnvironments?: boolean;
  /** Whether neighbours of events are known to be older or newer; default: true. */
  readonly namesNeighbours?: boolean;
  readonly seed: (project: Project, errors: readonly SeedError[]) => Promise<void>;
  /** Fails when the backend did what it must not do to whoever stands behind it. */
  readonly assertClean: () => void;
  readonly dispose: () => Promise<void>;
}

/** 2026-03-10 12:30 UTC: what the backends take for now. */
export const NOW = Date.UTC(2026, 2, 10, 12, 30);
export const MINUTE = 60_000;

export const messageOf = (error: SeedError): string => error.message ?? `${error.name} went wrong`;
export const titleOf = (error: SeedError): string => {
  const type = error.type === undefined ? 'ValueError' : error.type;
  return type === null ? messageOf(error) : `${type}: ${messageOf(error)}`;
};

export const ANY: ErrorQuery = {
  status: 'all',
  search: null,
  sort: 'last_seen',
  environment: null,
  release: null,
  level: null,
  limit: 20,
  cursor: null,
};

export async function listed(
  { backend, project }: BackendHarness,
  query: Partial<ErrorQuery> = {},
): Promise<readonly TrackedError[]> {
  return (await backend.list(project, { ...ANY, ...query })).items;
}

/** First words of the titles' messages, in the order of the answer. */
export const namesOf = (errors: readonly TrackedError[]): string =>
  errors.map((error) => /^(?:\w+: )?(\S+)/.exec(error.title)?.[1] ?? '?').join(' ');

export async function errorNamed(harness: BackendHarness, name: string): Promise<TrackedError> {
  const found = (await listed(harness)).find((error) => namesOf([error]) === name);
  if (found === undefined) throw new Error(`the backend lists no error ${name}`);
  return found;
}

export const is = isAppErrorWith;
