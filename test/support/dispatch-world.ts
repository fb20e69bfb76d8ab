import { AlertDispatcher, type DispatcherOptions, type DispatchStore } from '../../src/alerts/dispatcher.ts';
import { ACCESS_LEVELS, type AccessLevelName, type User } from '../../src/domain/projects/account.ts';
import type { AlertChannel, NewChannel } from '../../src/domain/alerts/alert-channel.ts';
import {
  type AlertPreferences,
  type AlertRule,
  DEFAULT_PREFERENCES,
  DEFAULT_RULE,
} from '../../src/domain/alerts/alert-rule.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { Lease } from '../../src/lib/lease.ts';
import { FakeAlertSender } from './fake-alert-sender.ts';
import { SILENT_LOGGER } from './fake-logger.ts';
import { type EventSpec, makeEvent, makeProject, NOON, TestJournal } from './store-data.ts';

const SECOND = 1000;
export const MINUTE = 60 * SECOND;

/** Milliseconds since the epoch; may be set. */
export interface SimulatedTime {
  at: number;
}

export interface WorldOptions {
  /** Time of the store too, where leases have to end. */
  readonly time?: SimulatedTime;
  /** True: several gateways may use the store. Default false. */
  readonly shared?: boolean;
}

/** Store, projects and a dispatcher in simulated time. */
export class AlertWorld {
  readonly store: Store;
  /** Milliseconds since the epoch; may be set. */
  get now(): number {
    return this.#time.at;
  }
  set now(at: number) {
    this.#time.at = at;
  }
  readonly #time: SimulatedTime;
  /** Milliseconds that have passed. */
  steady = 0;
  readonly clock = { now: () => this.now };
  readonly sender = new FakeAlertSender(() => this.now);
  readonly counted: string[] = [];
  dispatcher: AlertDispatcher;
  readonly #journal: TestJournal;
  readonly #shared: boolean;
  /** Calls of dispatchers to the store that are not answered yet. */
  readonly #calls = new Set<Promise<unknown>>();
  #serial = 0;
  #owner = 0;

  constructor(store: Store, { time = { at: NOON }, shared = false }: WorldOptions = {}) {
    this.store = store;
    this.#shared = shared;
    this.#time = time;
    this.#journal = new TestJournal(store, `alerts ${Math.random()}`);
    this.dispatcher = this.makeDispatcher();
  }

  /** `store`: one whose calls are noted, see `noted`. */
  makeDispatcher(given: Partial<DispatcherOptions> = {}): AlertDispatcher {
    this.#owner += 1;
    const { store = this.noted(this.store) } = given;
    const steady = (): number => this.steady;
    return new AlertDispatcher({
      store,
      lease: new Lease({ store: store as Store, name: 'alerts', owner: `gateway ${this.#owner}`, steady }),
      shared: this.#shared,
      sender: this.sender,
      open: ({ sealed }) => ({ url: sealed, secret: null }),
      tracked: () => Promise.resolve(null),
      externalUrl: () => 'https://errors.example.org',
      clock: this.clock,
      steady,
      random: () => 0.5,
      logger: SILENT_LOGGER,
      onFact: () => undefined,
      count: (type, outcome) => this.counted.push(`${type} ${outcome}`),
      ...given,
    });
  }

  /** Returns a store for whose calls `settled` waits. */
  noted(store: DispatchStore): DispatchStore {
    return new Proxy(store, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return (...args: unknown[]): Promise<unknown> => {
          const call = Promise.resolve(Reflect.apply(method, target, args));
          const done = () => this.#calls.delete(call);
          this.#calls.add(call);
          call.then(done, done);
          return call;
        };
      },
    });
  }

  /** Begins with a tracked project without members. */
  async project(): Promise<Project> {
    const project = await makeProject(this.store);
    await this.store.saveSettings(project.id, { active: true, integrated: true });
    // Places in the log before this one are not of this test.
    await this.turn();
    return project;
  }

  async member(project: Project, role: AccessLevelName = 'developer', email: string | null = ''): Promise<User> {
    this.#serial += 1;
    const username = `person${this.#serial}x${project.id}`;
    const address = email === '' ? `${username}@example.org` : email;
    const given = { username, name: username, admin: false, passwordHash: 'none', email: address };
    const user = await this.store.createUser(given);
    await this.store.setMember(project.id, user.id, ACCESS_LEVELS[role]);
    return user;
  }

  async channel(project: Project, given: Partial<NewChannel> = {}): Promise<AlertChannel> {
    this.#serial += 1;
    const name = `channel${this.#serial}`;
    const made: NewChannel = { projectId: project.id, type: 'webhook', name, host: `${name}.test`, sealed: name };
    return this.store.createChannel({ ...made, ...given }, this.now);
  }

  async rules(project: Project, ...rules: readonly Partial<AlertRule>[]): Promise<void> {
    const all = rules.map((rule, index) => ({ ...DEFAULT_RULE, id: index + 1, name: `rule${index + 1}`, ...rule }));
    await this.store.saveProjectAlerts(project.id, { rules: all, lastRuleId: all.length, poll: false });
  }

  async prefer(user: User, given: Partial<AlertPreferences>): Promise<void> {
    await this.store.saveAlertPreferences(user.id, { ...DEFAULT_PREFERENCES, ...given });
  }

  /** Stores events of errors, each of its own group. */
  async happen(project: Project, groups: readonly string[], given: EventSpec = {}): Promise<void> {
    const events = groups.map((group) => {
      this.#serial += 1;
      return makeEvent(project, `${group} ${this.#serial}`, { group, at: this.now, ...given });
    });
    await this.#journal.apply(events);
  }

  /** Runs one turn, and lets what it sends arrive. */
  async turn(): Promise<void> {
    // A failed turn is repeated by the next one.
    await this.dispatcher.run().catch(() => undefined);
    await this.settled();
  }

  /** Lets what is being sent arrive, and its outcome be stored. */
  async settled(): Promise<void> {
    await runCallbacks();
    while (this.#calls.size > 0) {
      await Promise.allSettled(this.#calls);
      await runCallbacks();
    }
  }

  /** Lets time pass in steps. */
  async pass(ms: number, stepMs = SECOND): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      const step = Math.min(left, stepMs);
      this.now += step;
      this.steady += step;
      await this.turn();
    }
  }
}

/** Lets pending callbacks of the store and the sender run. */
async function runCallbacks(): Promise<void> {
  for (let index = 0; index < 5; index += 1) await new Promise((resolve) => setImmediate(resolve));
}
