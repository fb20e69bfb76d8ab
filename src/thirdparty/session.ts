import type { TrackerReply } from './http/answer.ts';
import type { TrackerClient, TrackerRequest, TrackerTarget } from './http/client.ts';
import type { Dialect } from './dialect/dialect.ts';
import type { UsableRows } from './http/shape.ts';

/** Kinds of list rows. */
export type ListedThing = 'project' | 'organization' | 'issue' | 'event' | 'tag';

/** Access to a tracker. */
export interface TrackerAccess {
  readonly client: Pick<TrackerClient, 'request'>;
  readonly target: TrackerTarget;
  /** Aborts the request when its result is not needed. */
  readonly signal?: AbortSignal;
  /** Counts unusable rows at each reading of a list: a row that stays in the tracker counts again. */
  readonly leftOut?: (thing: ListedThing, count: number) => void;
}

/** Project of a tracker, with the learnt behaviour of the tracker. */
export interface TrackerSession extends TrackerAccess {
  readonly organization: string;
  readonly project: string;
  /** Project id in the tracker; null when the settings do not have it. */
  readonly projectId: string | null;
  /** One per setting, kept while the setting is unchanged. */
  readonly dialect: Dialect;
}

/** Returns the usable rows and counts the others. */
export function usedRows<T>({ leftOut }: TrackerAccess, thing: ListedThing, { rows, unusable }: UsableRows<T>): T[] {
  if (unusable.length > 0) leftOut?.(thing, unusable.length);
  return rows;
}

export function hostOf({ target }: Pick<TrackerAccess, 'target'>): string {
  return new URL(target.baseUrl).host;
}

export function ask(access: TrackerAccess, request: Omit<TrackerRequest, 'signal'>): Promise<TrackerReply> {
  const { client, target, signal } = access;
  return client.request(target, signal === undefined ? request : { ...request, signal });
}

/** Builds a path below `/api/0/` with encoded segments and the trailing slash that trackers require. */
export function apiPath(...segments: readonly string[]): string {
  return `/api/0/${segments.map((segment) => `${encodeURIComponent(segment)}/`).join('')}`;
}
