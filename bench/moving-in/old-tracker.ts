import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord } from '../../src/lib/own-property.ts';

/** Milliseconds without a new event after which all that come are taken to be there. */
const STALL_MS = 30_000;

export interface OldTracker {
  /** Origin and sub-path, no trailing slash. */
  readonly url: string;
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

async function ask(tracker: OldTracker, address: string): Promise<{ rows: unknown[]; next: string | null }> {
  const answer = await fetch(address, { headers: { Authorization: `Bearer ${tracker.token}` } });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${(await answer.text()).slice(0, 200)}`);
  const rows: unknown = await answer.json();
  if (!Array.isArray(rows)) throw new Error(`${address} answered no list`);
  const more = /<([^<>]+)>;\s*rel="next";\s*results="true"/.exec(answer.headers.get('link') ?? '')?.[1];
  return { rows, next: more === undefined ? null : new URL(more, address).href };
}

async function askAll(tracker: OldTracker, path: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  let next: string | null = `${tracker.url}/api/0/${path}`;
  while (next !== null) {
    const page: Awaited<ReturnType<typeof ask>> = await ask(tracker, next);
    all.push(...page.rows.filter(isRecord));
    ({ next } = page);
  }
  return all;
}

/** Slug of the project that the DSN sends to. Throws if the organization has none with this id. */
export async function projectSlug(tracker: OldTracker): Promise<string> {
  const id = new URL(tracker.dsn).pathname.split('/').at(-1);
  const projects = await askAll(tracker, `organizations/${tracker.org}/projects/`);
  const slug = projects.find((one) => String(one['id']) === id)?.['slug'];
  if (typeof slug !== 'string') throw new Error(`${tracker.org} has no project with the id ${id ?? '(none)'}`);
  return slug;
}

export async function listIssues(tracker: OldTracker, slug: string): Promise<OldIssue[]> {
  const rows = await askAll(tracker, `projects/${tracker.org}/${slug}/issues/?query=&limit=100`);
  return rows.map((row) => ({
    id: String(row['id']),
    count: Number(row['count']),
    text: JSON.stringify([row['title'], row['metadata']]),
  }));
}

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
