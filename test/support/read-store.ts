import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { TrackedErrorDetail } from '../../src/domain/errors/tracked-error.ts';
import { ERROR_SORTS } from '../../src/domain/search/error-query.ts';
import type { TrackedEvent } from '../../src/domain/events/tracked-event.ts';
import { DAY, EVERYTHING } from './store-data.ts';

/**
 * Returns what users can read of the projects of a store, at the time `now`: lists, counts, details, and every event
 * with its body, all as JSON has it. The stores of tests have less than a page of each.
 */
export async function readStore(store: Store, now: number): Promise<StoreAnswers> {
  const projects = [];
  for (const project of await store.listProjects()) projects.push(await readProject(store, project.id, now));
  const { errors, events } = await store.stats();
  return JSON.parse(JSON.stringify({ errors, events, projects })) as StoreAnswers;
}

export interface StoreAnswers {
  readonly errors: number;
  readonly events: number;
  readonly projects: readonly Awaited<ReturnType<typeof readProject>>[];
}

/** Returns the events with a body among the answers, by event id. */
export function eventsOf({ projects }: StoreAnswers): Map<string, NonNullable<ReturnType<typeof withoutPlace>>> {
  const found = projects.flatMap(({ errors }) => errors.flatMap(({ events }) => events));
  return new Map(found.flatMap((event) => (event === null ? [] : [[event.event.event_id, event]])));
}

/** Returns the bodies of events, by event id. */
export function bodiesOf(answers: StoreAnswers): Map<string, TrackedEvent['event']> {
  return new Map([...eventsOf(answers)].map(([id, { event }]) => [id, event]));
}

async function readProject(store: Store, projectId: number, now: number) {
  const orders: Record<string, readonly string[]> = {};
  for (const sort of ERROR_SORTS.filter((each) => each !== 'matters')) {
    const { items } = await store.listErrors(projectId, { ...EVERYTHING, sort }, now);
    orders[sort] = items.map(({ id }) => id);
  }
  const { items } = await store.listErrors(projectId, EVERYTHING, now);
  const errors = await inGroups(items, ({ id }) => readError(store, projectId, id, now));
  return {
    project: await store.projectById(projectId),
    keys: await store.listKeys(projectId),
    unresolved: (await store.projectNews([projectId], now)).get(projectId)?.unresolved,
    orders,
    errors,
    outcomes: (await store.listOutcomes(projectId, now - 9 * DAY, now + DAY)).map((row) => JSON.stringify(row)).sort(),
    releases: (await store.listReleases(projectId, { environment: null, limit: 100, cursor: null }, now)).items,
    filterValues: await store.filterValues(projectId),
  };
}

/** Leaves out what depends on the time of reading, and is newer than the stores of some tests. */
function withoutMarks({ marks: _marks, rangeCount: _count, ...detail }: TrackedErrorDetail) {
  return detail;
}

/** Leaves out where the event is among those of its error. */
function withoutPlace(event: TrackedEvent | null): Omit<TrackedEvent, 'position' | 'stored'> | null {
  if (event === null) return null;
  const { position: _position, stored: _stored, ...rest } = event;
  return rest;
}

async function readError(store: Store, projectId: number, errorId: string, now: number) {
  const detail = await store.errorById(projectId, errorId, now);
  const list = (await store.listEvents(projectId, errorId, 100, null))?.items ?? [];
  const events = await inGroups(list, async ({ eventId }) =>
    withoutPlace(await store.event(projectId, errorId, eventId)),
  );
  return {
    detail: detail === null ? null : withoutMarks(detail),
    list,
    events,
    latest: (await store.latestEvent(projectId, errorId))?.event.event_id ?? null,
    users: await store.newestUsers(projectId, errorId),
  };
}

/** Reads for each item, three at a time: more would wait for connections on a slow machine. */
async function inGroups<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += 3) {
    results.push(...(await Promise.all(items.slice(from, from + 3).map(read))));
  }
  return results;
}
