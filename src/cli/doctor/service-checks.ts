import type { RunInfo } from '../data-dir/data-dir.ts';
import { fail, type Finding, ok, reasonOf, warn } from './finding.ts';

/** Milliseconds until a service that does not answer counts as stuck. */
const ANSWER_MS = 5000;

/** Answer of the health route. */
interface Health {
  readonly status?: string;
  readonly accepting?: boolean;
  readonly reading?: boolean;
  readonly reason?: string | null;
}

export async function checkService(run: RunInfo | null, owned: boolean): Promise<Finding> {
  if (run === null) {
    return owned
      ? warn(
          'service',
          'another errgate command owns the data dir, or the service is starting',
          'check again in a moment',
        )
      : warn('service', 'not running: SDKs get no answer', 'start it with `errgate serve`');
  }
  try {
    const answer = await fetch(`${run.url}/-/health`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const health = (await answer.json()) as Health;
    const reason = health.reason ?? 'no reason given';
    if (!answer.ok || health.accepting !== true) {
      return fail(
        'service',
        `process ${run.pid} at ${run.url} accepts no events: ${reason}`,
        'fix the cause; ingestion resumes by itself',
      );
    }
    if (health.reading !== true) {
      return fail(
        'service',
        `process ${run.pid} at ${run.url} accepts events, but cannot read the store: ${reason}`,
        'see its log',
      );
    }
    if (health.status !== 'ok') {
      return fail(
        'service',
        `process ${run.pid} at ${run.url} accepts events, but does not store them: ${reason}`,
        'they stay in the journal and are stored once the cause is fixed; docs/running.md, "Backup and restore"',
      );
    }
    return ok('service', `process ${run.pid} at ${run.url} since ${run.started_at}`);
  } catch (error) {
    return fail(
      'service',
      `process ${run.pid} does not answer at ${run.url}: ${reasonOf(error)}`,
      'see its log, or restart it',
    );
  }
}

/** Reasons of refusals that are no problem: configured limits. */
const WANTED = new Set(['key_limit', 'project_limit', 'instance_limit', 'spike_guard']);

/** Reads the metrics of the running service as text; null when it does not answer. */
export async function readMetrics(url: string): Promise<string | null> {
  try {
    const answer = await fetch(`${url}/-/metrics`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}

/** Returns the counts of a metric by its only label, above zero, greatest first. */
function countsIn(metrics: string, name: string, label: string): { value: string; count: number }[] {
  return [...metrics.matchAll(new RegExp(`^${name}\\{${label}="(\\w+)"\\} (\\d+)$`, 'gm'))]
    .map(([, value = '', count]) => ({ value, count: Number(count) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

/**
 * Reports rows of trackers that errgate cannot use, counted at each reading of a list. Null when there were none since
 * the service started.
 */
export function checkTrackerRows(metrics: string): Finding | null {
  const left = countsIn(metrics, 'errgate_tracker_rows_left_out_total', 'thing');
  if (left.length === 0) return null;
  const shown = left.map(({ value, count }) => `${value}s ${count === 1 ? 'once' : `${count} times`}`).join(', ');
  return warn(
    'tracker rows',
    `left out of lists because errgate cannot use them: ${shown} since the service started; a row is counted each time it is read`,
    'Connect in the project settings names the projects and the problems; docs/third-party.md lists the trackers that work',
  );
}

/** Reports requests of SDKs that the running service refused since its start, by reason. */
export function checkRefused(metrics: string): Finding {
  const refused = countsIn(metrics, 'errgate_ingest_refused_total', 'reason');
  if (refused.length === 0) return ok('refused requests', 'none since the service started');
  const shown = refused.map(({ value, count }) => `${count} ${value}`).join(', ');
  if (refused.every(({ value }) => WANTED.has(value))) return ok('refused requests', shown);
  return warn(
    'refused requests',
    `${shown}, since the service started`,
    'unknown keys: compare the DSNs of the applications; docs/missing-events.md explains the other reasons',
  );
}
