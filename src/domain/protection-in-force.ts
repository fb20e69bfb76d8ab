import { distinctFields, type OwnProtection } from './own-protection.ts';
import type { Allowed, AllowedKinds, Limits, Protection, Scrubbing } from './protection.ts';

/** Both together; of two bounds the stricter one counts. */
export function protectionInForce({ scrubbing, limits }: Protection, own: OwnProtection): Protection {
  return { scrubbing: scrubbingInForce(scrubbing, own), limits: limitsInForce(limits, own) };
}

/**
 * What events lose. Whoever asks for names or addresses to be removed has scrubbing switched on by that, and a name
 * of the project's own is never safe.
 */
export function scrubbingInForce(configured: Scrubbing, own: OwnProtection): Scrubbing {
  if (own.sensitiveFields.length === 0 && !own.scrubIps) return configured;
  const sensitive = new Set(own.sensitiveFields.map((name) => name.toLowerCase()));
  return {
    enabled: true,
    scrubIps: configured.scrubIps || own.scrubIps,
    sensitiveFields: distinctFields([...configured.sensitiveFields, ...own.sensitiveFields]),
    safeFields: configured.safeFields.filter((name) => !sensitive.has(name.toLowerCase())),
  };
}

/** How many may come. A project's own limit lets as many through at once as in a minute. */
export function limitsInForce<L extends Pick<Limits, 'key' | 'project'>>(configured: L, own: OwnProtection): L {
  return {
    ...configured,
    key: withEvents(configured.key, own.keyEventsPerMinute),
    project: withEvents(configured.project, own.projectEventsPerMinute),
  };
}

function withEvents(kinds: AllowedKinds, perMinute: number | null): AllowedKinds {
  return perMinute === null ? kinds : { ...kinds, events: stricter(kinds.events, perMinute) };
}

/** Member by member, so that neither the rate nor the burst is above what either side allows. */
function stricter(configured: Allowed, perMinute: number): Allowed {
  if (configured === null) return { perMinute, burst: perMinute };
  return { perMinute: Math.min(configured.perMinute, perMinute), burst: Math.min(configured.burst, perMinute) };
}
