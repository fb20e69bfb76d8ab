import { AppError } from '../domain/app-error.ts';
import type { ImportSource, SourceKind } from '../domain/imports/import.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { ImportFrom, ImportOptions, RunningStore } from './import-run.ts';
import { listInvitations, type Invitation } from './invitations.ts';
import { sharedTarget, wantedProjects, type WantedProject } from './stages/import-projects.ts';
import { findTarget, keyName, sourcesOf } from './stages/target-project.ts';
import { isPartial, reasonOf, type ReadPart } from './tracker-failures.ts';

export interface DryRunProject {
  readonly project: string;
  /** Path here; null: it cannot be imported there, `problems` has the reason. */
  readonly path: string | null;
  readonly exists: boolean;
  /** All of them, inactive ones included. */
  readonly keys: number;
  readonly inactive_keys: number;
  readonly errors: number;
  /** False: there are more errors than were counted. */
  readonly errors_complete: boolean;
  /** What cannot come along, and why. */
  readonly problems: readonly string[];
  /** Alert rules and limits to set up again. */
  readonly to_set_up: readonly string[];
  /** What the project uses there and errgate does not have. */
  readonly breaks: readonly string[];
}

export interface DryRun {
  readonly kind: SourceKind;
  readonly version: string | null;
  readonly url: string;
  readonly organization: string;
  readonly projects: readonly DryRunProject[];
  readonly keys: number;
  readonly errors: number;
  readonly errors_complete: boolean;
  /** At the speed of the answers so far; null without any error. */
  readonly estimated_seconds: number | null;
  /** Members of the organization, for invitations. */
  readonly members: readonly Invitation[];
  readonly cannot: readonly string[];
  /** Projects that were named and are not there. */
  readonly problems: readonly string[];
}

export interface DryRunDeps {
  readonly store: Pick<
    RunningStore,
    'keyByPublicKey' | 'listImportSources' | 'listUsers' | 'projectById' | 'projectByPath'
  >;
  readonly clock: Clock;
}

/** Milliseconds in which errors are counted, over all projects. */
const COUNT_MS = 40_000;
/** Requests at one time. */
const CONCURRENCY = 5;
/**
 * Requests per error: the issue, and two or three lists of events. Bodies come by pages of 25 beside two events as they
 * were sent, or each alone where the tracker has no such pages.
 */
function callsPerError(kind: SourceKind, events: number): number {
  return kind === 'bugsink' || kind === 'urgentry' ? 4 + events : 5 + Math.ceil(events / 25);
}

/** Reads what an import would bring along, without a change here or there. */
export async function dryRun(
  deps: DryRunDeps,
  from: ImportFrom,
  options: ImportOptions,
  signal: AbortSignal,
  onProject: (slug: string, done: number, total: number) => void,
): Promise<DryRun> {
  const problems: string[] = [];
  const missing = (slug: string): void => {
    problems.push(`${slug}: the organization has no such project, or the token may not read it`);
  };
  const wanted = await wantedProjects(from, options, signal, missing);
  const sources = await sourcesOf(deps.store, from);
  const shared = await sharedTarget(deps.store, from.organization, sources, wanted);
  if (shared !== null) problems.push(shared);
  const pages = new PageTimes(deps.clock);
  const projects: DryRunProject[] = [];
  for (const [index, one] of wanted.entries()) {
    onProject(one.remote.slug, index, wanted.length);
    projects.push(await readProject(deps, from, sources, one, pages, signal));
  }
  const { members, problem } = await listInvitations(deps.store, from.reader, signal);
  const sum = (of: (one: DryRunProject) => number): number => projects.reduce((total, one) => total + of(one), 0);
  const errors = sum((one) => one.errors);
  return {
    kind: from.reader.kind,
    version: from.reader.version,
    url: from.url,
    organization: from.organization,
    projects,
    keys: sum((one) => one.keys),
    errors,
    errors_complete: projects.every((one) => one.errors_complete),
    estimated_seconds: pages.estimate(errors * callsPerError(from.reader.kind, options.eventsPerError)),
    members,
    cannot: [...from.reader.cannot, ...(problem === null ? [] : [`members: ${problem}`])],
    problems,
  };
}

/** Times of the tracker's answers. */
class PageTimes {
  readonly #clock: Clock;
  readonly #until: number;
  #ms = 0;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#until = clock.now() + COUNT_MS;
  }

  get isOver(): boolean {
    return this.#clock.now() > this.#until;
  }

  add(ms: number): void {
    this.#ms += ms;
    this.#count += 1;
  }

  estimate(calls: number): number | null {
    if (this.#count === 0 || calls === 0) return null;
    return Math.ceil((calls * this.#ms) / this.#count / CONCURRENCY / 1000);
  }
}

async function readProject(
  { store, clock }: DryRunDeps,
  from: ImportFrom,
  sources: readonly ImportSource[],
  { remote, chosen }: WantedProject,
  pages: PageTimes,
  signal: AbortSignal,
): Promise<DryRunProject> {
  const { reader } = from;
  const { slug } = remote;
  const problems: string[] = [];
  const toSetUp: string[] = [];
  const part = async (name: ReadPart, read: () => Promise<void>): Promise<void> => {
    try {
      await read();
    } catch (error) {
      if (!isPartial(error)) throw error;
      problems.push(`${name}: ${reasonOf(error, name)}`);
    }
  };
  const target = await findTarget(store, from.organization, sources, remote, chosen).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code === 'store_unavailable') throw error;
    problems.push(error.message);
    return null;
  });
  const keys = { active: 0, inactive: 0 };
  await part('keys', async () => {
    for await (const { publicKey, label, active, rateLimit } of reader.keys(slug, signal)) {
      keys[active ? 'active' : 'inactive'] += 1;
      const name = keyName(label, publicKey);
      const holder = await store.keyByPublicKey(publicKey);
      if (holder !== null && holder.projectId !== target?.project?.id) {
        problems.push(`key "${name}" belongs to another project here, which keeps it`);
      }
      if (rateLimit !== null) {
        toSetUp.push(`limit of key "${name}": ${rateLimit.count} events in ${rateLimit.window} s`);
      }
    }
  });
  let errors = 0;
  let complete = false;
  await part('issues', async () => {
    let begun = clock.now();
    for await (const page of reader.issues(slug, 'all', null, signal)) {
      pages.add(clock.now() - begun);
      errors += page.issues.filter(({ status }) => status !== null).length;
      for (const { id, status, skipped } of page.issues) {
        if (status === null) problems.push(`issue ${id}: ${skipped ?? 'the tracker is changing it'}`);
      }
      for (const { id, reason } of page.leftOut)
        problems.push(`${id === null ? 'an issue' : `issue ${id}`}: ${reason}`);
      complete = page.next === null;
      if (pages.isOver) break;
      begun = clock.now();
    }
  });
  await part('alerts', async () => {
    toSetUp.push(...(await reader.alertRules(slug, signal)).map((rule) => `alert rule: ${rule}`));
  });
  return {
    project: slug,
    path: target?.path ?? null,
    exists: (target?.project ?? null) !== null,
    keys: keys.active + keys.inactive,
    inactive_keys: keys.inactive,
    errors,
    errors_complete: complete,
    problems,
    to_set_up: toSetUp,
    breaks: remote.uses,
  };
}
