import type { ShallowRef } from 'vue';
import { listErrorAlerts, type ErrorAlert } from '../../api/alerts-api.ts';
import type { ApiFailure } from '../../api/api-failure.ts';
import { useLoaded } from '../../lib/use-loaded.ts';
import { usePolling } from '../../lib/use-polling.ts';

/** Milliseconds between two reads. */
const LOOK_MS = 10_000;

interface ErrorAlerts {
  /** Null until the first answer. */
  readonly alerts: ShallowRef<readonly ErrorAlert[] | null>;
  readonly failure: ShallowRef<ApiFailure | null>;
  readonly load: () => Promise<void>;
}

/** What was reported about an error, read again regularly. None without the Developer role. */
export function useErrorAlerts(project: () => string, errorId: () => string, develops: () => boolean): ErrorAlerts {
  const { value, failure, load } = useLoaded<readonly ErrorAlert[]>(
    (signal) => (develops() ? listErrorAlerts(project(), errorId(), signal) : Promise.resolve([])),
    () => `${project()} ${errorId()} ${develops()}`,
  );
  usePolling(async () => {
    if (develops()) await load();
    return failure.value === null;
  }, LOOK_MS);
  return { alerts: value, failure, load };
}
