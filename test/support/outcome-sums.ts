import assert from 'node:assert/strict';
import { readPages } from './read-pages.ts';
import { eventually, type ServiceProcess } from './service-process.ts';

const DAY_MS = 86_400_000;

/** Quantities by `category outcome reason`, over all hours and keys of a project. */
export type OutcomeSums = ReadonlyMap<string, number>;

/** Items that were sent, by the answer they got. */
export interface SentItems {
  /** Answered 200: accepted, or recognised as repeats, or dropped for a reason. */
  readonly acknowledged: number;
  /** Answered 4xx or 503 with a known key. */
  readonly refused: number;
  /** Without an answer, because the connection broke: counted, or not. */
  readonly unanswered: number;
}

interface OutcomeRow {
  readonly category: string;
  readonly outcome: string;
  readonly reason: string;
  readonly quantity: number;
}

/** What the service says became of everything that was sent to its first project in the last three days. */
export async function outcomeSums(service: ServiceProcess): Promise<OutcomeSums> {
  const since = new Date(Date.now() - 3 * DAY_MS).toISOString();
  // What a clock ahead of ours has counted belongs to it too.
  const until = new Date(Date.now() + DAY_MS).toISOString();
  const query = `since=${since}&until=${until}&group_by=category,outcome,reason`;
  const rows = await readPages<OutcomeRow>(
    service,
    `/api/v4/projects/${service.first.project_id}/error_tracking/outcomes?${query}`,
    (body) => (body as { outcomes: OutcomeRow[] }).outcomes,
  );
  return new Map(
    rows.map(({ category, outcome, reason, quantity }) => [`${category} ${outcome} ${reason}`.trim(), quantity]),
  );
}

/** The sum of those whose name begins with one of the given texts; of all where none is given. */
export function sumOf(sums: OutcomeSums, ...beginnings: readonly string[]): number {
  return [...sums]
    .filter(([name]) => beginnings.length === 0 || beginnings.some((beginning) => name.startsWith(beginning)))
    .reduce((sum, [, quantity]) => sum + quantity, 0);
}

/**
 * Waits until the outcomes add up to what was sent, item by item; fails with the table where they never do.
 * Where everything was answered the sum is exact; items without an answer may be in it or not. What clients
 * say that they discarded themselves was never sent.
 */
export async function assertOutcomesAddUp(
  service: ServiceProcess,
  { acknowledged, refused, unanswered }: SentItems,
  limitMs = 30_000,
): Promise<OutcomeSums> {
  const counted = (sums: OutcomeSums): number =>
    sumOf(sums) - [...sums].filter(([name]) => / client_discard /.test(name)).reduce((sum, [, q]) => sum + q, 0);
  const least = acknowledged + refused;
  const sums = await eventually(
    () => outcomeSums(service),
    (now) => counted(now) >= least,
    limitMs,
  ).catch(async () => outcomeSums(service));
  const total = counted(sums);
  const table = JSON.stringify(Object.fromEntries(sums));
  assert.ok(
    total >= least && total <= least + unanswered,
    `${acknowledged} acknowledged + ${refused} refused (+ at most ${unanswered} unanswered) were sent, ${total} are counted: ${table}`,
  );
  return sums;
}
