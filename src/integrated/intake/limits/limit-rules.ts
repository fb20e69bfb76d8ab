import { type PerProject, perProject } from '../../per-project.ts';
import type { Allowance } from './token-bucket.ts';

/** What is limited on its own: events (and reports about them), sessions. Client reports never are. */
export type LimitedKind = 'events' | 'sessions';

/** Items per minute; 0 is no limit. A burst of 0 is as many as come in one minute. */
export interface ScopeLimits {
  readonly eventsPerMinute: number;
  readonly eventsBurst: number;
  readonly sessionsPerMinute: number;
  readonly sessionsBurst: number;
}

/** How far above its own usual traffic a project may go. */
export interface SpikeGuardSettings {
  readonly enabled: boolean;
  /** How many times as much as in a usual hour. */
  readonly factor: number;
  /** Events per minute that are always let through. */
  readonly minimumPerMinute: number;
}

interface Partly {
  readonly key?: Partial<ScopeLimits>;
  readonly project?: Partial<ScopeLimits>;
  readonly spikeGuard?: Partial<SpikeGuardSettings>;
}

/** The `limits` part of the configuration. */
export interface LimitsConfig {
  /** Of each client key. */
  readonly key: ScopeLimits;
  readonly project: ScopeLimits;
  /** Of all projects together. */
  readonly instance: ScopeLimits;
  readonly spikeGuard: SpikeGuardSettings;
  /** By full project path, in any case, or numeric id; what is absent keeps the general value. */
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

/** Whether nothing at all is limited, in any project. */
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
