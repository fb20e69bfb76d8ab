import type { Allowed, AllowedKinds, Protection } from '../../domain/protection.ts';

function presentAllowed(allowed: Allowed) {
  return allowed === null ? null : { per_minute: allowed.perMinute, burst: allowed.burst };
}

function presentKinds({ events, sessions }: AllowedKinds) {
  return { events: presentAllowed(events), sessions: presentAllowed(sessions) };
}

export function presentProtection({ scrubbing, limits }: Protection) {
  const { enabled, scrubIps, sensitiveFields, safeFields } = scrubbing;
  const { key, project, instance, spikeGuard } = limits;
  return {
    scrubbing: { enabled, scrub_ips: scrubIps, sensitive_fields: sensitiveFields, safe_fields: safeFields },
    limits: {
      key: presentKinds(key),
      project: presentKinds(project),
      instance: presentKinds(instance),
      spike_guard:
        spikeGuard === null ? null : { factor: spikeGuard.factor, minimum_per_minute: spikeGuard.minimumPerMinute },
    },
  };
}
