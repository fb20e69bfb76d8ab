import type { AlertStore } from '../../domain/ports/stores/alert-store.ts';
import type { Lease } from '../../lib/lease.ts';
import { forgetIssues, knowsIssues, linkOf, type PollProjectDeps } from './poll-project.ts';
import { ProjectPolls, type ProjectPollsDeps } from './project-polls.ts';

export interface PollingJobDeps extends Omit<ProjectPollsDeps, 'intervalMs'> {
  readonly store: PollProjectDeps['store'] & Pick<AlertStore, 'listProjectAlerts'>;
  readonly lease: Pick<Lease, 'hold' | 'release'>;
  /** Milliseconds between two polls of a project; default a minute. */
  readonly intervalMs?: number;
}

const INTERVAL_MS = 60_000;
/** Milliseconds between two readings of the settings. */
const REFRESH_MS = 15_000;
/** Milliseconds between the first polls of several projects, if they fit into the interval. */
const SPREAD_MS = 1000;
/** Maximum projects that are polled at once: others wait for the next turn. */
const MAX_AT_ONCE = 10;

/**
 * Polls the trackers of linked projects that want it, for new and regressed issues. A tracker that is slow or away
 * delays no other.
 */
export class PollingJob {
  readonly #deps: PollingJobDeps;
  readonly #polled = new Map<number, ProjectPolls>();
  /** Projects whose state was removed, or never there. */
  readonly #forgotten = new Set<number>();
  #settings: Awaited<ReturnType<AlertStore['listProjectAlerts']>> = [];
  #refreshAt = -Infinity;

  constructor(deps: PollingJobDeps) {
    this.#deps = deps;
  }

  /** Resolves when all running polls have ended. */
  async settled(): Promise<void> {
    for (const { running } of [...this.#polled.values()]) await running;
  }

  /** Ends running polls before they write, and lets another process take over. Call it after the last run. */
  async stop(): Promise<void> {
    await this.#stopAll();
    await this.#deps.lease.release().catch(() => undefined);
  }

  /** Starts the polls that are due; not two runs at a time. */
  async run(): Promise<void> {
    const now = this.#deps.steady();
    const refreshes = now >= this.#refreshAt;
    if (refreshes) {
      this.#settings = await this.#deps.store.listProjectAlerts();
      this.#refreshAt = now + REFRESH_MS;
    }
    if (!(await this.#hasWork())) return;
    const held = await this.#deps.lease.hold();
    if (held === 'not_held') return this.#stopAll();
    if (held === 'taken') this.#forgotten.clear();
    if (held === 'taken' || refreshes) await this.#refresh();
    this.#startDue();
  }

  /** An installation without polls is read only: it does not even take the lease. */
  async #hasWork(): Promise<boolean> {
    if (this.#polled.size > 0) return true;
    for (const { projectId, poll } of this.#settings) {
      if (poll) return true;
      if (this.#forgotten.has(projectId)) continue;
      if (await knowsIssues(this.#deps.store, projectId)) return true;
      this.#forgotten.add(projectId);
    }
    return false;
  }

  #startDue(): void {
    let room = MAX_AT_ONCE - [...this.#polled.values()].filter(({ running }) => running !== null).length;
    for (const polls of this.#polled.values()) {
      if (room <= 0) break;
      if (!polls.isDue) continue;
      polls.start();
      room -= 1;
    }
  }

  async #refresh(): Promise<void> {
    const wanted = new Map<number, string>();
    for (const { projectId, poll } of this.#settings) {
      const settings = poll ? await this.#deps.store.settings(projectId) : null;
      const link = linkOf(settings);
      if (link === null) await this.#forget(projectId);
      else wanted.set(projectId, JSON.stringify([link, settings?.sealedToken]));
    }
    for (const projectId of this.#polled.keys()) if (!wanted.has(projectId)) await this.#drop(projectId);
    const added = [...wanted.keys()].filter((projectId) => !this.#polled.has(projectId)).length;
    for (const [projectId, mark] of wanted) this.#want(projectId, mark, added * SPREAD_MS);
  }

  #want(projectId: number, mark: string, spreadMs: number): void {
    this.#forgotten.delete(projectId);
    const known = this.#polled.get(projectId);
    if (known?.mark === mark) return;
    void known?.stop();
    const intervalMs = this.#deps.intervalMs ?? INTERVAL_MS;
    const spread = known === undefined ? Math.min(spreadMs, intervalMs) : 0;
    this.#polled.set(projectId, new ProjectPolls({ ...this.#deps, intervalMs }, projectId, mark, spread));
  }

  async #forget(projectId: number): Promise<void> {
    if (this.#forgotten.has(projectId)) return;
    await this.#drop(projectId);
    await forgetIssues(this.#deps.store, projectId);
    this.#forgotten.add(projectId);
  }

  async #drop(projectId: number): Promise<void> {
    const polls = this.#polled.get(projectId);
    this.#polled.delete(projectId);
    await polls?.stop();
  }

  async #stopAll(): Promise<void> {
    const all = [...this.#polled.values()];
    this.#polled.clear();
    await Promise.all(all.map((polls) => polls.stop()));
  }
}
