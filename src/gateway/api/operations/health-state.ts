import type { HealthProbe, HealthState } from '../../../domain/ports/health.ts';

interface ServiceState {
  readonly accepting: boolean;
  readonly reading: boolean;
  readonly reason?: string;
}

/** Returns the result of the reading probe. A probe that throws means that the store does not answer. */
async function reading(health: HealthProbe): Promise<HealthState> {
  try {
    return await health.reading();
  } catch {
    return { ok: false, reason: 'the store does not answer' };
  }
}

/** Returns the state for the readiness check. */
export async function stateOf(health: HealthProbe): Promise<ServiceState> {
  const accepts = health.accepting();
  const reads = await reading(health);
  return withReasons({ accepting: accepts.ok, reading: reads.ok }, [accepts, reads]);
}

/** Returns the state for the health check, which also shows when accepted events do not reach the store. */
export async function healthOf(health: HealthProbe): Promise<ServiceHealth> {
  const accepts = health.accepting();
  const reads = await reading(health);
  const digests = health.digesting();
  const intact = health.intact();
  const status = !accepts.ok ? 'failing' : reads.ok && digests.ok && intact.ok ? 'ok' : 'degraded';
  return { status, ...withReasons({ accepting: accepts.ok, reading: reads.ok }, [accepts, reads, digests, intact]) };
}

/** `ok`: events are accepted, stored and read; `degraded`: they are accepted; `failing`: they are not. */
type OverallStatus = 'ok' | 'degraded' | 'failing';

export interface ServiceHealth extends ServiceState {
  readonly status: OverallStatus;
}

/** Lists every reason once, even when several states share it. */
function withReasons(state: ServiceState, abilities: readonly HealthState[]): ServiceState {
  const reasons = new Set(abilities.filter(({ ok }) => !ok).map(({ reason }) => reason ?? 'unknown reason'));
  return reasons.size === 0 ? state : { ...state, reason: [...reasons].join('; ') };
}
