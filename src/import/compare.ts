import type { OutcomeCount } from '../domain/ingest/digest.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import type { ImportFrom, ImportOptions, JoinedCounts, RunningStore } from './import-run.ts';
import { wantedProjects } from './stages/import-projects.ts';
import { findTarget, sourcesOf } from './stages/target-project.ts';
import { readProject, runKey } from './state/run-state.ts';
import { isPartial, reasonOf } from './tracker-failures.ts';
import { unaccountedEvents, unaccountedText } from './unaccounted-events.ts';
import { DAY_MS } from '../domain/durations.ts';

export interface ComparedDay {
  /** `2026-11-23`, UTC. */
  readonly day: string;
  /** Events that the tracker counted; null: it does not tell. */
  readonly theirs: number | null;
  /** Events that were accepted here. */
  readonly ours: number;
  /**
   * Part of the day in which events came here: counts can be compared when it is `all`. `none`: what is known here of
   * the day is imported history.
   */
  readonly here: 'none' | 'part' | 'all';
}

export interface ComparedProject {
  readonly project: string;
  /** Null: there is no project here yet. */
  readonly path: string | null;
  readonly days: readonly ComparedDay[];
  /** Imported errors by how live events find them; `none`: new events of them begin another error. */
  readonly errors: JoinedCounts & { readonly imported: number; readonly none: number };
  readonly problems: readonly string[];
}

export type ComparedStore = Pick<
  RunningStore,
  | 'forward'
  | 'importState'
  | 'listForwardStates'
  | 'listImportSources'
  | 'unknownThere'
  | 'listImportStates'
  | 'projectById'
  | 'projectByPath'
  | 'saveImportState'
> &
  Pick<Store, 'listOutcomes'>;

/** Days that are compared, today included. */
const DAYS = 14;

/** Compares what both systems counted per project and day, and lists how imported errors are joined. */
export async function compareCounts(
  store: ComparedStore,
  from: ImportFrom,
  options: Pick<ImportOptions, 'projects'>,
  now: number,
  signal: AbortSignal,
): Promise<ComparedProject[]> {
  const compared: ComparedProject[] = [];
  const sources = await sourcesOf(store, from);
  for (const { remote, chosen } of await wantedProjects(from, options, signal, () => undefined)) {
    const problems: string[] = [];
    const theirs = await from.reader.days(remote.slug, signal).catch((error: unknown) => {
      if (!isPartial(error)) throw error;
      problems.push(reasonOf(error, 'issues'));
      return null;
    });
    const { project, path } = await findTarget(store, from.organization, sources, remote, chosen);
    const unaccounted = project === null ? null : await unaccountedEvents(store, project.id);
    if (unaccounted !== null && unaccounted > 0) problems.push(unaccountedText(unaccounted));
    const since = (Math.floor(now / DAY_MS) - DAYS + 1) * DAY_MS;
    const accepted = project === null ? [] : (await store.listOutcomes(project.id, 0, now)).filter(isAccepted);
    const begin = project === null ? null : await beginHere(store, from, remote.slug, project.id, accepted);
    const state = project === null ? null : await latestState(store, from, remote.slug, project.id);
    const joined = state?.joined ?? { event_id: 0, group_key: 0, likeness: 0 };
    const imported = state?.stages.errors?.done ?? 0;
    const none = state === null ? 0 : state.unjoined.length + state.unjoinedMore;
    compared.push({
      project: remote.slug,
      path: project === null ? null : path,
      days: daysOf(since, theirs === null ? null : new Map(theirs), byDay(accepted), begin),
      errors: { ...joined, imported, none },
      problems,
    });
  }
  return compared;
}

/** Returns the state of the import of the organization, or of this project alone; null without any. */
async function latestState(store: ComparedStore, { url, organization }: ImportFrom, slug: string, projectId: number) {
  for (const name of [undefined, slug]) {
    const state = await readProject(store, runKey(url, organization, name), slug, projectId);
    if (state !== null) return state;
  }
  return null;
}

/** Returns the time from which events can have come here: of the first one, or of the first import. Null: neither. */
async function beginHere(
  store: ComparedStore,
  { url, organization }: ImportFrom,
  slug: string,
  projectId: number,
  accepted: readonly OutcomeCount[],
): Promise<number | null> {
  const sources = await store.listImportSources(projectId);
  const ofThis = sources.filter((one) => one.url === url && one.organization === organization && one.project === slug);
  const times = [...ofThis.map(({ createdAt }) => createdAt), ...accepted.map(({ at }) => at)];
  return times.reduce<number | null>((least, at) => (least === null ? at : Math.min(least, at)), null);
}

function isAccepted({ category, outcome }: OutcomeCount): boolean {
  return category === 'error' && outcome === 'accepted';
}

function byDay(accepted: readonly OutcomeCount[]): ReadonlyMap<number, number> {
  const days = new Map<number, number>();
  for (const { at, quantity } of accepted) {
    const day = Math.floor(at / DAY_MS) * DAY_MS;
    days.set(day, (days.get(day) ?? 0) + quantity);
  }
  return days;
}

function daysOf(
  since: number,
  theirs: ReadonlyMap<number, number> | null,
  ours: ReadonlyMap<number, number>,
  begin: number | null,
): ComparedDay[] {
  return Array.from({ length: DAYS }, (_, index) => {
    const start = since + index * DAY_MS;
    return {
      day: new Date(start).toISOString().slice(0, 10),
      theirs: theirs === null ? null : (theirs.get(start / 1000) ?? 0),
      ours: ours.get(start) ?? 0,
      here: begin === null || begin >= start + DAY_MS ? 'none' : begin > start ? 'part' : 'all',
    };
  });
}
