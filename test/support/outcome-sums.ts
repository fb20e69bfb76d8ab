import assert from 'node:assert/strict';
import { readPages } from './read-pages.ts';
import { eventually, type StartedService } from './service-process.ts';

const DAY_MS = 86_400_000;

/** Quantities by `category outcome reason`, summed over all hours and keys of a project. */
export type OutcomeSums = ReadonlyMap<string, number>;

/** Number of sent items, by answer. */
export interface SentItems {
  /** Items answered 200: accepted, repeated, or dropped for a reason. */
  readonly acknowledged: number;
  /** Items answered 4xx or 503, with a known key. */
  readonly refused: number;
  /** Items without an answer, because the connection broke; they may be counted. */
  readonly unanswered: number;
}

interface OutcomeRow {
  readonly category: string;
  readonly outcome: string;
  readonly reason: string;
  readonly quantity: number;
}

/** Reads the outcomes of the service's first project in the last three days. */
export async function outcomeSums(service: StartedService): Promise<OutcomeSums> {
  const since = new Date(Date.now() - 3 * DAY_MS).toISOString();
  // Includes hours counted by a clock that is ahead of this one.
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

/** Sums the quantities whose name starts with one of the given texts; without texts all. */
export function sumOf(sums: OutcomeSums, ...beginnings: readonly string[]): number {
  return [...sums]
    .filter(([name]) => beginnings.length === 0 || beginnings.some((beginning) => name.startsWith(beginning)))
    .reduce((sum, [, quantity]) => sum + quantity, 0);
}

/**
 * Waits until the outcomes add up to the number of sent items; fails with all sums otherwise.
 * The sum is exact except for items without an answer. Client discards are excluded, because they were not sent,
 * and values dropped from kept events, because they are no items.
 */
export async function assertOutcomesAddUp(
  service: StartedService,
  { acknowledged, refused, unanswered }: SentItems,
  limitMs = 30_000,
): Promise<OutcomeSums> {
  const counted = (sums: OutcomeSums): number =>
    sumOf(sums) -
    [...sums].filter(([name]) => / client_discard |^value /.test(name)).reduce((sum, [, q]) => sum + q, 0);
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
