import { DEFAULT_ALERTS } from '../../src/domain/alerts/alert-rule.ts';
import type { AlertFact } from '../../src/domain/alerts/alert-fact.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { PollingJob, type PollingJobDeps } from '../../src/alerts/polling/polling-job.ts';
import type { PollReport } from '../../src/alerts/polling/project-polls.ts';
import { givenProject } from './factories.ts';
import { fakeLogger } from './fake-logger.ts';
import { startFakeTracker, type FakeTracker, type FakeTrackerOptions } from './fake-tracker/fake-tracker.ts';
import { TRACKER_TOKEN } from './fake-tracker/linked-world.ts';
import type { PersonalityName } from './fake-tracker/personality.ts';
import type { FakeProject } from './fake-tracker/world.ts';
import { SQLITE } from './test-stores.ts';
import { createTestTrackers, type TestTrackers } from './trackers.ts';

export const MINUTE = 60_000;

/** Store with one project that is linked to a tracker and polled. */
export interface PolledWorld {
  readonly store: Store;
  readonly tracker: FakeTracker;
  readonly trackers: TestTrackers;
  readonly shop: FakeProject;
  readonly project: Project;
  readonly clock: { at: number; now(): number };
  readonly reports: PollReport[];
  readonly log: string[];
  readonly job: PollingJob;
  /** Makes the job of another gateway on the same store. `store` replaces methods. */
  gateway(owner: string, store?: Partial<Store>): PollingJob;
  /** Lets time pass on all clocks. */
  pass(ms: number): void;
  /** Lets a minute pass and polls. Returns the facts that were added. */
  poll(job?: PollingJob): Promise<AlertFact[]>;
  facts(): Promise<AlertFact[]>;
  close(): Promise<void>;
}

function leaseOf(store: Store, owner: string): PollingJobDeps['lease'] {
  let held = false;
  return {
    async hold() {
      const before = held;
      held = await store.acquireLease('alert-polling', owner, MINUTE);
      if (!held) return 'not_held';
      return before ? 'held' : 'taken';
    },
    release: () => store.releaseLease('alert-polling', owner),
  };
}

export async function startPolledWorld(name: PersonalityName, options: FakeTrackerOptions = {}): Promise<PolledWorld> {
  const opened = await SQLITE.open();
  const { store } = opened;
  const tracker = await startFakeTracker(name, { lessons: 10, brownout: false, ...options });
  const { world } = tracker;
  const shop = world.addProject('acme', 'shop', name === 'Urgentry' ? 'default-project' : '11');
  world.addToken(TRACKER_TOKEN);
  const clock = { at: world.now, now: () => clock.at };
  const trackers = createTestTrackers(clock);
  const project = await givenProject(store);
  await store.saveSettings(project.id, {
    active: true,
    integrated: false,
    apiUrl: `${tracker.origin}/api/0/projects/acme/shop/`,
    thirdpartyProjectId: shop.id,
    sealedToken: trackers.cipher.encrypt(TRACKER_TOKEN, project.id),
  });
  await store.saveProjectAlerts(project.id, { ...DEFAULT_ALERTS, poll: true });
  const reports: PollReport[] = [];
  const log: string[] = [];
  const jobs: PollingJob[] = [];
  const steady = clock.now;

  const gateway = (owner: string, other: Partial<Store> = {}): PollingJob => {
    // Methods of the store may be on its prototype.
    const seen = new Proxy(store, {
      get: (target, key) => {
        const method: unknown = Reflect.get(other, key) ?? Reflect.get(target, key);
        return typeof method === 'function' ? method.bind(target) : method;
      },
    });
    const job = new PollingJob({
      store: seen,
      backendFor: (settings) => trackers.backends.directFor(settings),
      lease: leaseOf(seen, owner),
      now: clock.now,
      steady,
      random: () => 0,
      logger: fakeLogger((level) => (_bindings, message) => log.push(`${level}: ${message}`)),
      observe: (report) => reports.push(report),
    });
    jobs.push(job);
    return job;
  };
  const job = gateway('first');
  const facts = () => store.listFacts(0, 1000);
  const pass = (ms: number): void => {
    clock.at += ms;
    world.now += ms;
  };
  return {
    ...{ store, tracker, trackers, shop, project, clock, reports, log, job, gateway, facts, pass },
    async poll(polling = job) {
      const before = await store.lastFact();
      pass(MINUTE);
      await polling.run();
      await polling.settled();
      return store.listFacts(before, 1000);
    },
    async close() {
      await Promise.all(jobs.map((each) => each.stop()));
      trackers.client.close();
      await tracker.close();
      await opened.dispose();
    },
  };
}
