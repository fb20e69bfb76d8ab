import type { AlertRule, EventThreshold, ProjectAlerts } from '../../domain/alerts/alert-rule.ts';
import type { AlertStore, ThresholdArm } from '../../domain/ports/stores/alert-store.ts';
import type { ErrorStore } from '../../domain/ports/stores/error-store.ts';
import type { MaintenanceStore } from '../../domain/ports/stores/maintenance-store.ts';
import { escalation } from './fact-of-error.ts';
import { DAY_MS } from '../../domain/durations.ts';

const MINUTE_MS = 60_000;
/** Milliseconds after which a threshold that is ready again is forgotten; longer than facts are kept. */
const FORGET_MS = 31 * DAY_MS;
/** Name of the value with the time of the last run. */
const RAN_KEY = 'alerts_thresholds_at';

export type ThresholdStore = Pick<
  AlertStore,
  | 'listProjectAlerts'
  | 'recentErrors'
  | 'countEvents'
  | 'thresholdArms'
  | 'saveThresholdArm'
  | 'removeThresholdArm'
  | 'addFacts'
> &
  Pick<ErrorStore, 'errorById'> &
  Pick<MaintenanceStore, 'getMeta' | 'setMeta'>;

type Recent = Awaited<ReturnType<AlertStore['recentErrors']>>[number];

/**
 * Watches the thresholds of rules. "N events in M minutes" fires when it is crossed, and again after a whole window
 * below half of it. "N users" fires once, when the number is reached. Projects without such rules cost nothing.
 */
export class ThresholdWatch {
  readonly #store: ThresholdStore;

  constructor(store: ThresholdStore) {
    this.#store = store;
  }

  async run(now: number): Promise<void> {
    const all = (await this.#store.listProjectAlerts()).filter(({ rules }) => rules.some(hasThreshold));
    if (all.length === 0) return;
    const ran = Number((await this.#store.getMeta(RAN_KEY)) ?? now - MINUTE_MS);
    const since = Math.max(now - DAY_MS, Math.min(ran, now - MINUTE_MS));
    for (const alerts of all) await this.#project(alerts, since, now);
    await this.#store.setMeta(RAN_KEY, String(now));
  }

  async #project({ projectId, rules }: ProjectAlerts & { projectId: number }, since: number, now: number) {
    const arms = new Map((await this.#store.thresholdArms(projectId)).map((arm) => [keyOf(arm), arm]));
    for (const rule of rules.filter(hasThreshold)) {
      const { threshold, users } = rule.when;
      if (threshold !== null) await this.#events(projectId, rule, threshold, arms, now);
      if (users !== null) await this.#users(projectId, rule, users, since, now);
    }
    const watched = new Set(rules.filter(({ when }) => when.threshold !== null).map(({ id }) => id));
    for (const arm of arms.values()) {
      const over = arm.armed && arm.belowSince !== null && now - arm.belowSince > FORGET_MS;
      if (over || !watched.has(arm.ruleId)) await this.#store.removeThresholdArm(arm);
    }
  }

  async #events(
    projectId: number,
    { id: ruleId }: AlertRule,
    threshold: EventThreshold,
    arms: ReadonlyMap<string, ThresholdArm>,
    now: number,
  ): Promise<void> {
    const since = now - threshold.minutes * MINUTE_MS;
    const recent = await this.#store.recentErrors(projectId, since);
    const quiet = [...arms.values()].filter(
      (arm) => arm.ruleId === ruleId && !arm.armed && !recent.some(({ errorId }) => errorId === arm.errorId),
    );
    for (const errorId of [...recent, ...quiet].map((each) => each.errorId)) {
      const fresh: ThresholdArm = { projectId, ruleId, errorId, fired: 0, armed: true, belowSince: null };
      const arm = arms.get(keyOf(fresh)) ?? fresh;
      const count = await this.#store.countEvents(projectId, errorId, since, threshold.events);
      const next = nextArm(arm, count, threshold, now);
      if (next === arm) continue;
      if (next.fired > arm.fired && !(await this.#fire(next, threshold, now))) continue;
      await this.#store.saveThresholdArm(next);
    }
  }

  /** Adds the fact before the arm is saved: after a crash the same fact is known already. */
  async #fire({ projectId, ruleId, errorId, fired }: ThresholdArm, threshold: EventThreshold, now: number) {
    const error = await this.#store.errorById(projectId, errorId, now);
    if (error?.status !== 'unresolved') return false;
    const id = `threshold:${projectId}.${ruleId}:${errorId}:${fired}`;
    await this.#store.addFacts([escalation(id, { threshold, ruleId }, error, now)]);
    return true;
  }

  /** The number was reached since the last run if the events since then could have brought that many users. */
  async #users(projectId: number, { id: ruleId }: AlertRule, users: number, since: number, now: number): Promise<void> {
    for (const error of await this.#store.recentErrors(projectId, since)) {
      if (error.users < users) continue;
      const beyond = error.users - users + 1;
      const events = await this.#store.countEvents(projectId, error.errorId, since, beyond);
      if (events < beyond) continue;
      await this.#fireUsers(projectId, ruleId, error, users, now);
    }
  }

  async #fireUsers(projectId: number, ruleId: number, { errorId }: Recent, users: number, now: number): Promise<void> {
    const error = await this.#store.errorById(projectId, errorId, now);
    if (error?.status !== 'unresolved') return;
    const id = `threshold:${projectId}.${ruleId}:${errorId}:users${users}`;
    await this.#store.addFacts([escalation(id, { users, ruleId }, error, now)]);
  }
}

function hasThreshold({ enabled, when }: AlertRule): boolean {
  return enabled && (when.threshold !== null || when.users !== null);
}

function keyOf({ ruleId, errorId }: Pick<ThresholdArm, 'ruleId' | 'errorId'>): string {
  return `${ruleId}:${errorId}`;
}

/** Returns the state after a count; the same object when nothing changes. */
export function nextArm(
  arm: ThresholdArm,
  count: number,
  { events, minutes }: EventThreshold,
  now: number,
): ThresholdArm {
  if (arm.armed) {
    return count >= events ? { ...arm, fired: arm.fired + 1, armed: false, belowSince: null } : arm;
  }
  if (count * 2 >= events) return arm.belowSince === null ? arm : { ...arm, belowSince: null };
  // After a clock was set back the window starts again.
  if (arm.belowSince === null || arm.belowSince > now) return { ...arm, belowSince: now };
  return now - arm.belowSince >= minutes * MINUTE_MS ? { ...arm, armed: true } : arm;
}
