import { decide, effectiveLevel } from '../auth/policy.ts';
import type { Principal } from '../auth/principal.ts';
import { servedByIntegrated } from '../domain/settings-rules.ts';
import type { OutcomeCount } from '../domain/digest.ts';
import type { Project } from '../domain/project.ts';
import type { CommonDeps } from './gateway-deps.ts';
import { projectUrl } from './presenters/error.ts';
import { isoTime } from './presenters/time.ts';

const HOUR_MS = 3_600_000;
const HOURS_SHOWN = 24;

/** Maximum number up to which errors are counted, so that counting stays cheap. */
const MAX_COUNTED = 10_000;

/** Returns stored events by the hour of receipt, as `[start in seconds, count]`, oldest first. */
function hourlyEvents(outcomes: readonly OutcomeCount[], since: number): [number, number][] {
  const points = Array.from({ length: HOURS_SHOWN }, (_, index): [number, number] => [
    (since + index * HOUR_MS) / 1000,
    0,
  ]);
  for (const { outcome, category, at, quantity } of outcomes) {
    const point = points[(at - since) / HOUR_MS];
    if (point !== undefined && outcome === 'accepted' && category === 'error') point[1] += quantity;
  }
  return points;
}

const NO_ACTIVITY = {
  ...{ unresolved_count: null, new_count: null, regressed_count: null },
  ...{ last_seen: null, frequency: null },
};

async function activity(deps: CommonDeps, project: Project) {
  const since = (Math.floor(deps.clock.now() / HOUR_MS) - HOURS_SHOWN + 1) * HOUR_MS;
  const [count, news, outcomes] = await Promise.all([
    deps.store.countErrors(project.id, 'unresolved', MAX_COUNTED),
    deps.store.projectNews(project.id, deps.clock.now()),
    deps.store.listOutcomes(project.id, since, since + HOURS_SHOWN * HOUR_MS),
  ]);
  return {
    unresolved_count: count,
    new_count: news.newErrors,
    regressed_count: news.regressed,
    last_seen: news.lastSeen === null ? null : isoTime(news.lastSeen),
    frequency: hourlyEvents(outcomes, since),
  };
}

/**
 * Returns a project for the start page of its members; does not query an external tracker. `favourites`: ids of the
 * projects that the user marked.
 */
export async function projectOverview(
  deps: CommonDeps,
  principal: Principal,
  project: Project,
  favourites: ReadonlySet<number>,
) {
  const { id, name, path, visibility, monitorEnabled } = project;
  const [settings, level] = await Promise.all([deps.store.settings(id), deps.store.accessLevel(id, principal.user.id)]);
  const active = settings?.active ?? false;
  const integrated = settings !== null && servedByIntegrated(settings, deps.integratedOffered);
  const readable = active && integrated && decide(principal, 'read_errors', project, level) === 'ok';
  return {
    project: {
      id,
      name,
      path_with_namespace: path,
      visibility,
      web_url: projectUrl({ externalUrl: deps.externalUrl(), project }),
    },
    access_level: effectiveLevel(principal, level),
    active,
    integrated,
    monitor: monitorEnabled,
    favourite: favourites.has(id),
    ...(readable ? await activity(deps, project) : NO_ACTIVITY),
  };
}
