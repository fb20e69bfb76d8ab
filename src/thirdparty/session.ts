import type { TrackerReply } from './answer.ts';
import type { TrackerClient, TrackerRequest, TrackerTarget } from './client.ts';
import type { Dialect } from './dialect.ts';
import type { UsableRows } from './shape.ts';

/** What trackers send in lists. */
export type ListedThing = 'project' | 'organization' | 'issue' | 'event' | 'tag';

/** A tracker that can be asked. */
export interface TrackerAccess {
  readonly client: Pick<TrackerClient, 'request'>;
  readonly target: TrackerTarget;
  /** Ends what is asked when nobody waits for it any more. */
  readonly signal?: AbortSignal;
  /** Counts rows of lists that could not be used and were left out. */
  readonly leftOut?: (thing: ListedThing, count: number) => void;
}

/** One project of a tracker, and what is known about how to ask for it. */
export interface TrackerSession extends TrackerAccess {
  readonly organization: string;
  readonly project: string;
  /** The tracker's id of the project; null where the settings do not know it. */
  readonly projectId: string | null;
  /** One per setting, kept while the setting stays the same. */
  readonly dialect: Dialect;
}

/** The rows that can be used, after the others were counted. */
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

/** A path below `/api/0/`, every segment encoded, with the slash at the end without which trackers answer 404. */
export function apiPath(...segments: readonly string[]): string {
  return `/api/0/${segments.map((segment) => `${encodeURIComponent(segment)}/`).join('')}`;
}
