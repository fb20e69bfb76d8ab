import type { ProtectionOverrides } from '../../../domain/protection-overrides.ts';
import { protectionInForce } from '../../../domain/protection-in-force.ts';
import type { Allowed, AllowedKinds, Protection } from '../../../domain/protection.ts';

function presentAllowed(allowed: Allowed) {
  return allowed === null ? null : { per_minute: allowed.perMinute, burst: allowed.burst };
}

function presentKinds({ events, sessions }: AllowedKinds) {
  return { events: presentAllowed(events), sessions: presentAllowed(sessions) };
}

function presentOne({ scrubbing, limits }: Protection) {
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

/** Presents the effective settings, the project's own overrides and the configured settings. */
export function presentProtection(configured: Protection, own: ProtectionOverrides) {
  return {
    ...presentOne(protectionInForce(configured, own)),
    own: {
      sensitive_fields: own.sensitiveFields,
      scrub_ips: own.scrubIps,
      key_events_per_minute: own.keyEventsPerMinute,
      project_events_per_minute: own.projectEventsPerMinute,
    },
    configured: presentOne(configured),
  };
}
