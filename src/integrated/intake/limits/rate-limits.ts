import type { Clock } from '../../../domain/ports/clock.ts';
import type { IngestGrant, RateLimit } from '../../../domain/ports/intake.ts';
import { limitsInForce } from '../../../domain/ingest/protection-in-force.ts';
import { type OverridesOf, withOverrides } from '../../project-overrides.ts';
import type { PerProject } from '../../per-project.ts';
import {
  type LimitedKind,
  limitRulesFor,
  type LimitsConfig,
  limitsAreOff,
  type ProjectRules,
  rulesOf,
  type ScopeRules,
} from './limit-rules.ts';
import { type LimitState, LimitTable } from './limit-table.ts';
import type { Allowance } from '../../../lib/token-bucket.ts';

/** Limit that was reached, as the reason of the outcome. */
export type LimitReason = 'key_limit' | 'project_limit' | 'instance_limit' | 'spike_guard';

export interface LimitHit extends RateLimit {
  readonly reason: LimitReason;
}

export interface RateLimitsDeps {
  readonly config: LimitsConfig;
  /** Limits set by projects; they apply where they are stricter. */
  readonly own: OverridesOf;
  readonly clock: Clock;
  /** Returns the full path of a project; null when unknown. */
  readonly projectPath: (projectId: number) => string | null;
  /** Returns the allowance of the spike guard for a project; null while it has too little history. */
  readonly usual: (projectId: number, settings: NonNullable<ProjectRules['spikeGuard']>) => Allowance | null;
}

interface Active {
  readonly reason: LimitReason;
  readonly scope: RateLimit['scope'];
  readonly state: LimitState;
}

/** Data categories that SDKs are asked to hold back, by kind. */
const CATEGORIES: Readonly<Record<LimitedKind, readonly string[]>> = {
  events: ['error', 'default'],
  sessions: ['session'],
};
const EVERYTHING = [...CATEGORIES.events, ...CATEGORIES.sessions];

/** Share of a minute's allowance that must be available again before SDKs send again. */
const COME_BACK_SHARE = 0.1;

type Tables = Readonly<Record<LimitedKind, LimitTable>>;

const tables = (): Tables => ({ events: new LimitTable(), sessions: new LimitTable() });

/**
 * Limits of this gateway per client key, project and instance, in memory only. A restart begins with full allowances,
 * and each gateway grants them separately.
 */
export class RateLimits {
  readonly #deps: RateLimitsDeps;
  /** True when no limit is configured. Projects may still have limits of their own. */
  readonly #off: boolean;
  readonly #rulesFor: PerProject<ProjectRules>;
  readonly #instance: ScopeRules;
  readonly #tables = { key: tables(), project: tables(), instance: tables() };
  readonly #spikes = new LimitTable();

  constructor(deps: RateLimitsDeps) {
    this.#deps = deps;
    this.#off = limitsAreOff(deps.config);
    const configured = limitRulesFor(deps.config);
    this.#rulesFor = withOverrides(configured, configured, deps.own, limitsInForce);
    this.#instance = rulesOf(deps.config.instance);
  }

  /** Takes `quantity` from every limit, or from none when one has too little. Returns null when all had enough. */
  take(grant: IngestGrant, kind: LimitedKind, quantity: number): LimitHit | null {
    if (this.#isOff(grant)) {
      return null;
    }
    const now = this.#deps.clock.now();
    const active = this.#active(grant, kind, now);
    for (const { reason, scope, state } of active) {
      if (state.tokens.wait(quantity, now) > 0) {
        state.patience.take(1, now);
        return { reason, scope, categories: CATEGORIES[kind], retryAfterSeconds: comeBack(state, now) };
      }
    }
    for (const { state } of active) {
      state.tokens.take(quantity, now);
    }
    return null;
  }

  /** Returns the limit that refuses an envelope unread: too many with limited events came lately. Null: read it. */
  flooded(grant: IngestGrant): LimitHit | null {
    if (this.#isOff(grant)) {
      return null;
    }
    const now = this.#deps.clock.now();
    for (const { reason, scope, state } of this.#active(grant, 'events', now)) {
      if (state.tokens.wait(1, now) > 0 && state.patience.wait(1, now) > 0) {
        return { reason, scope, categories: EVERYTHING, retryAfterSeconds: comeBack(state, now) };
      }
    }
    return null;
  }

  #isOff({ projectId }: IngestGrant): boolean {
    return this.#off && this.#deps.own(projectId) === undefined;
  }

  #active({ projectId, keyId }: IngestGrant, kind: LimitedKind, now: number): Active[] {
    const rules = this.#rulesFor(projectId, this.#deps.projectPath(projectId));
    const found: Active[] = [];
    const add = (
      allowance: Allowance | null,
      table: LimitTable,
      id: number,
      reason: LimitReason,
      scope: Active['scope'],
    ): void => {
      if (allowance !== null) {
        found.push({ reason, scope, state: table.stateOf(id, allowance, now) });
      }
    };
    const { key, project, instance } = this.#tables;
    add(rules.key[kind], key[kind], keyId, 'key_limit', 'key');
    add(rules.project[kind], project[kind], projectId, 'project_limit', 'project');
    if (kind === 'events' && rules.spikeGuard !== null) {
      const usual = this.#deps.usual(projectId, rules.spikeGuard);
      add(usual, this.#spikes, projectId, 'spike_guard', 'project');
    }
    add(this.#instance[kind], instance[kind], 0, 'instance_limit', 'organization');
    return found;
  }
}

function comeBack({ tokens }: LimitState, now: number): number {
  const share = Math.max(1, tokens.allowance.perMinute * COME_BACK_SHARE);
  return Math.max(1, Math.ceil(tokens.wait(share, now) / 1000));
}
