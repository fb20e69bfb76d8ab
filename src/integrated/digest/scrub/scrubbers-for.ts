import { scrubbingInForce } from '../../../domain/ingest/protection-in-force.ts';
import { type OverridesOf, withOverrides } from '../../project-overrides.ts';
import { type PerProject, perProject } from '../../per-project.ts';
import { createScrubber, type ScrubOptions, type Scrubber } from './scrubber.ts';

/** Settings of one project. Absent members keep the general value; field names are added to the general ones. */
export interface ProjectScrubbing {
  readonly enabled?: boolean;
  readonly scrubIps?: boolean;
  readonly sensitiveFields?: readonly string[];
  readonly safeFields?: readonly string[];
}

/** The `scrubbing` part of the configuration. */
export interface ScrubbingConfig extends ScrubOptions {
  /** Settings by full project path, in any case, or numeric id. */
  readonly projects: Readonly<Record<string, ProjectScrubbing | undefined>>;
}

export type ScrubberFor = PerProject<Scrubber>;

/** Creates scrubbers by configuration, stricter where a project asks for it. Compiles each once until it changes. */
export function scrubbersFor(config: ScrubbingConfig, ownOf: OverridesOf): ScrubberFor {
  const ordinary = perProject<ScrubOptions, ProjectScrubbing, Scrubber>(
    config,
    config.projects,
    merged,
    createScrubber,
  );
  return withOverrides(ordinary, scrubOptionsFor(config), ownOf, (configured, own) =>
    createScrubber(scrubbingInForce(configured, own)),
  );
}

/** Returns the configured options of a project before they are compiled. */
export function scrubOptionsFor(config: ScrubbingConfig): PerProject<ScrubOptions> {
  return perProject<ScrubOptions, ProjectScrubbing, ScrubOptions>(
    config,
    config.projects,
    merged,
    (options) => options,
  );
}

function merged(options: ScrubOptions, addition: ProjectScrubbing): ScrubOptions {
  return {
    enabled: addition.enabled ?? options.enabled,
    scrubIps: addition.scrubIps ?? options.scrubIps,
    sensitiveFields: [...options.sensitiveFields, ...(addition.sensitiveFields ?? [])],
    safeFields: [...options.safeFields, ...(addition.safeFields ?? [])],
  };
}
