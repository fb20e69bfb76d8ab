import { decide, effectiveLevel } from '../../../auth/policy.ts';
import type { Principal } from '../../../auth/principal.ts';
import { NO_ACCESS } from '../../../domain/ports/overview-store.ts';
import { NEWS_HOURS, type ProjectNews } from '../../../domain/project-news.ts';
import { servedByIntegrated } from '../../../domain/settings-rules.ts';
import type { Project } from '../../../domain/project.ts';
import type { CommonDeps } from '../../http/route-deps.ts';
import { projectUrl } from '../shared/error-place.ts';
import { isoTime } from '../../http/iso-time.ts';
import { HOUR_MS } from '../../../domain/durations.ts';

/** Returns stored events by the hour of receipt, as `[start in seconds, count]`, oldest first. */
function hourlyEvents(accepted: ProjectNews['accepted'], now: number): [number, number][] {
  const first = (Math.floor(now / HOUR_MS) - NEWS_HOURS + 1) * HOUR_MS;
  return Array.from({ length: NEWS_HOURS }, (_, index) => {
    const at = first + index * HOUR_MS;
    return [at / 1000, accepted.get(at) ?? 0];
  });
}

const NO_ACTIVITY = {
  ...{ unresolved_count: null, new_count: null, regressed_count: null },
  ...{ last_seen: null, frequency: null },
};

function activity({ unresolved, newErrors, regressed, lastSeen, accepted }: ProjectNews, now: number) {
  return {
    unresolved_count: unresolved,
    new_count: newErrors,
    regressed_count: regressed,
    last_seen: lastSeen === null ? null : isoTime(lastSeen),
    frequency: hourlyEvents(accepted, now),
  };
}

/**
 * Returns projects for the start page of their members; does not query external trackers. `favourites`: ids of the
 * projects that the user marked.
 */
export async function projectOverviews(
  deps: CommonDeps,
  principal: Principal,
  projects: readonly Project[],
  favourites: ReadonlySet<number>,
) {
  const now = deps.clock.now();
  const access = await deps.store.projectAccess(
    projects.map(({ id }) => id),
    principal.user.id,
  );
  const shown = projects.map((project) => {
    const { settings, level } = access.get(project.id) ?? NO_ACCESS;
    const active = settings?.active ?? false;
    const integrated = settings !== null && servedByIntegrated(settings, deps.integratedOffered);
    const readable = active && integrated && decide(principal, 'read_errors', project, level) === 'ok';
    return { project, level, active, integrated, readable };
  });
  const news = await deps.store.projectNews(
    shown.filter(({ readable }) => readable).map(({ project }) => project.id),
    now,
  );
  return shown.map(({ project, level, active, integrated }) => {
    const { id, name, path, visibility, monitorEnabled } = project;
    const own = news.get(id);
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
      ...(own === undefined ? NO_ACTIVITY : activity(own, now)),
    };
  });
}
