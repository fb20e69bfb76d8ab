import type { Config } from '../config/schema.ts';
import type { Project } from './domain/project.ts';
import type { Protection } from './domain/protection.ts';
import { scrubOptionsFor } from './integrated/digest/scrub/scrubbers-for.ts';
import { limitRulesFor, rulesOf } from './integrated/intake/limits/limit-rules.ts';

/** What of the configuration protects a project, with its own additions. */
export function createProtection(config: Config): (project: Project) => Protection {
  const scrubbing = scrubOptionsFor(config.scrubbing);
  const rules = limitRulesFor(config.limits);
  const instance = rulesOf(config.limits.instance);
  return ({ id, path }) => ({ scrubbing: scrubbing(id, path), limits: { ...rules(id, path), instance } });
}
