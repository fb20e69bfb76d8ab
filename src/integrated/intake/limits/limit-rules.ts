import { type PerProject, perProject } from '../../per-project.ts';
import type { Allowance } from '../../../lib/token-bucket.ts';

/** Kinds with separate limits: events (and reports about them), sessions. Client reports have no limit. */
export type LimitedKind = 'events' | 'sessions';

/** Items per minute; 0: no limit. A burst of 0 means as many as per minute. */
export interface ScopeLimits {
  readonly eventsPerMinute: number;
  readonly eventsBurst: number;
  readonly sessionsPerMinute: number;
  readonly sessionsBurst: number;
}

/** Bounds of a project's traffic, relative to its usual traffic. */
export interface SpikeGuardSettings {
  readonly enabled: boolean;
  /** Factor on the events of a usual hour. */
  readonly factor: number;
  /** Events per minute that are always accepted. */
  readonly minimumPerMinute: number;
}

interface Partly {
  readonly key?: Partial<ScopeLimits>;
  readonly project?: Partial<ScopeLimits>;
  readonly spikeGuard?: Partial<SpikeGuardSettings>;
}

/** The `limits` part of the configuration. */
export interface LimitsConfig {
  /** Limits of each client key. */
  readonly key: ScopeLimits;
  readonly project: ScopeLimits;
  /** Limits of all projects together. */
  readonly instance: ScopeLimits;
  readonly spikeGuard: SpikeGuardSettings;
  /** Overrides by full project path, in any case, or numeric id; absent members keep the general value. */
  readonly projects: Readonly<Record<string, Partly | undefined>>;
}

/** Null: no limit. */
export type ScopeRules = Readonly<Record<LimitedKind, Allowance | null>>;

export interface ProjectRules {
  readonly key: ScopeRules;
  readonly project: ScopeRules;
  /** Null: switched off. */
  readonly spikeGuard: SpikeGuardSettings | null;
}

type Settings = Pick<LimitsConfig, 'key' | 'project' | 'spikeGuard'>;

export function limitRulesFor(config: LimitsConfig): PerProject<ProjectRules> {
  return perProject<Settings, Partly, ProjectRules>(config, config.projects, merged, (settings) => ({
    key: rulesOf(settings.key),
    project: rulesOf(settings.project),
    spikeGuard: settings.spikeGuard.enabled ? settings.spikeGuard : null,
  }));
}

export function rulesOf(limits: ScopeLimits): ScopeRules {
  return {
    events: allowance(limits.eventsPerMinute, limits.eventsBurst),
    sessions: allowance(limits.sessionsPerMinute, limits.sessionsBurst),
  };
}

function allowance(perMinute: number, burst: number): Allowance | null {
  return perMinute === 0 ? null : { perMinute, burst: burst === 0 ? perMinute : burst };
}

function merged(settings: Settings, addition: Partly): Settings {
  return {
    key: { ...settings.key, ...addition.key },
    project: { ...settings.project, ...addition.project },
    spikeGuard: { ...settings.spikeGuard, ...addition.spikeGuard },
  };
}

/** Returns true when no project has any limit. */
export function limitsAreOff(config: LimitsConfig): boolean {
  const off = (limits: Partial<ScopeLimits> | undefined): boolean =>
    (limits?.eventsPerMinute ?? 0) === 0 && (limits?.sessionsPerMinute ?? 0) === 0;
  return (
    [config.key, config.project, config.instance].every(off) &&
    !config.spikeGuard.enabled &&
    Object.values(config.projects).every(
      (one) => off(one?.key) && off(one?.project) && one?.spikeGuard?.enabled !== true,
    )
  );
}
