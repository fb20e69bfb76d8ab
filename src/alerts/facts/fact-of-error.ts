import type { NewFact } from '../../domain/alerts/alert-fact.ts';
import type { FactCause } from '../../domain/errors/fact-cause.ts';
import type { TrackedErrorDetail } from '../../domain/errors/tracked-error.ts';

/** Returns the fact that an error escalated, as a job found it in its sums. */
export function escalation(id: string, cause: FactCause, error: TrackedErrorDetail, at: number): NewFact {
  const { projectId, type, title, message, culprit, level, lastRelease, environments } = error;
  const [environment, ...others] = environments ?? [];
  return {
    id,
    kind: 'escalated',
    cause,
    projectId,
    errorId: error.id,
    at,
    type,
    title,
    message,
    culprit,
    level,
    release: lastRelease,
    // Of several it is not known which one escalated.
    environment: environment !== undefined && others.length === 0 ? environment : null,
  };
}
