import { distinctFields, type ProtectionOverrides } from './protection-overrides.ts';
import type { Allowed, AllowedKinds, Limits, Protection, Scrubbing } from './protection.ts';

/** Combines both; of two bounds the stricter one applies. */
export function protectionInForce({ scrubbing, limits }: Protection, own: ProtectionOverrides): Protection {
  return { scrubbing: scrubbingInForce(scrubbing, own), limits: limitsInForce(limits, own) };
}

/** Effective scrubbing. Own names or IP removal switch scrubbing on, and an own name is never safe. */
export function scrubbingInForce(configured: Scrubbing, own: ProtectionOverrides): Scrubbing {
  if (own.sensitiveFields.length === 0 && !own.scrubIps) return configured;
  const sensitive = new Set(own.sensitiveFields.map((name) => name.toLowerCase()));
  return {
    enabled: true,
    scrubIps: configured.scrubIps || own.scrubIps,
    sensitiveFields: distinctFields([...configured.sensitiveFields, ...own.sensitiveFields]),
    safeFields: configured.safeFields.filter((name) => !sensitive.has(name.toLowerCase())),
  };
}

/** Effective rate limits. The burst of an own limit equals its rate per minute. */
export function limitsInForce<L extends Pick<Limits, 'key' | 'project'>>(configured: L, own: ProtectionOverrides): L {
  return {
    ...configured,
    key: withEvents(configured.key, own.keyEventsPerMinute),
    project: withEvents(configured.project, own.projectEventsPerMinute),
  };
}

function withEvents(kinds: AllowedKinds, perMinute: number | null): AllowedKinds {
  return perMinute === null ? kinds : { ...kinds, events: stricter(kinds.events, perMinute) };
}

/** Compares each member, so that neither rate nor burst exceeds either side. */
function stricter(configured: Allowed, perMinute: number): Allowed {
  if (configured === null) return { perMinute, burst: perMinute };
  return { perMinute: Math.min(configured.perMinute, perMinute), burst: Math.min(configured.burst, perMinute) };
}
