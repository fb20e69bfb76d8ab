import { setTimeout as sleep } from 'node:timers/promises';
import { OldBugsink } from './old-bugsink.ts';
import { OldSentry } from './old-sentry.ts';

/** Milliseconds without a new event after which all that come are taken to be there. */
const STALL_MS = 30_000;

export interface OldAccess {
  /** Origin and sub-path, no trailing slash. */
  readonly url: string;
  /** Slug of the organization; Bugsink has none. */
  readonly org: string;
  readonly token: string;
  /** DSN of the project there. */
  readonly dsn: string;
}

/** Issue as the tracker lists it, read without the code of the import. */
export interface OldIssue {
  readonly id: string;
  readonly count: number;
  /** All texts that may name the error. */
  readonly text: string;
}

/** What an imported error should say. Null: the tracker does not tell. */
export interface OldFacts {
  readonly status: string;
  readonly level: string | null;
  readonly platform: string | null;
  readonly culprit: string | null;
  readonly users: number | null;
  /** Events by the start of their hour in epoch seconds, of the last 24 hours, without empty ones. */
  readonly hours: ReadonlyMap<number, number> | null;
  readonly firstRelease: string | null;
  /** Texts of comments. */
  readonly comments: readonly string[];
  /** Events that it still has, at most 20. */
  readonly events: number;
}

/** States in which the fill leaves issues; a tracker uses those it has. */
export type OldState = 'resolved' | 'resolved_next' | 'ignored' | 'reopened' | 'commented';

export interface OldTracker {
  readonly access: OldAccess;
  /** Slug of the project that the DSN sends to. Throws if there is none with this id. */
  projectSlug(): Promise<string>;
  listIssues(slug: string): Promise<OldIssue[]>;
  factsOf(issues: readonly OldIssue[]): Promise<Map<string, OldFacts>>;
  setState(issueId: string, state: OldState): Promise<void>;
}

export function openOldTracker(access: OldAccess, kind: string): OldTracker {
  return kind === 'bugsink' ? new OldBugsink(access) : new OldSentry(access);
}

/** Sends a request with the token and returns the answer. Throws for any status beyond 299. */
export async function askTracker(
  access: OldAccess,
  address: string,
  { method = 'GET', body }: { readonly method?: string; readonly body?: object } = {},
): Promise<Response> {
  const send = (): Promise<Response> =>
    fetch(new URL(address, `${access.url}/`), {
      method,
      headers: { Authorization: `Bearer ${access.token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  // The tracker may close a connection that waited, just when it is used again.
  const answer = await (method === 'GET' ? send().catch(send) : send());
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${(await answer.text()).slice(0, 200)}`);
  return answer;
}

/** Id of the project that the DSN names. */
export const projectIdIn = ({ dsn }: OldAccess): string => new URL(dsn).pathname.split('/').at(-1) ?? '';

export const sumOf = (issues: readonly { readonly count: number }[]): number =>
  issues.reduce((sum, { count }) => sum + count, 0);

/** Waits until the errors count `total` events, or until no more come. */
export async function settled<T extends { readonly count: number }>(
  ask: () => Promise<readonly T[]>,
  total: number,
): Promise<readonly T[]> {
  let known = -1;
  let since = Date.now();
  for (;;) {
    const errors = await ask();
    const counted = sumOf(errors);
    if (counted >= total || Date.now() - since > STALL_MS) return errors;
    if (counted !== known) since = Date.now();
    known = counted;
    await sleep(1000);
  }
}
