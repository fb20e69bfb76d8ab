import type { HealthProbe, HealthState } from '../domain/ports/health.ts';

export interface ServiceState {
  readonly accepting: boolean;
  readonly reading: boolean;
  readonly reason?: string;
}

/** A probe that fails has told enough: the store does not answer. */
async function reading(health: HealthProbe): Promise<HealthState> {
  try {
    return await health.reading();
  } catch {
    return { ok: false, reason: 'the store does not answer' };
  }
}

export async function stateOf(health: HealthProbe): Promise<ServiceState> {
  const accepts = health.accepting();
  const reads = await reading(health);
  const reasons = [accepts, reads].filter((state) => !state.ok).map((state) => state.reason ?? 'unknown reason');
  const state = { accepting: accepts.ok, reading: reads.ok };
  return reasons.length === 0 ? state : { ...state, reason: reasons.join('; ') };
}

/** In a word: takes events and can be read, only the first, or not even that. */
export function statusWord({ accepting, reading: reads }: ServiceState): 'ok' | 'degraded' | 'failing' {
  return !accepting ? 'failing' : reads ? 'ok' : 'degraded';
}
