import type { ErrorBackend } from '../../../src/domain/ports/error-backend.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { TrackingSettings } from '../../../src/domain/projects/tracking-settings.ts';
import { createThirdpartyBackend } from '../../../src/thirdparty/backend.ts';
import { Dialect } from '../../../src/thirdparty/dialect/dialect.ts';
import { TRACKER_TOKEN, type LinkedWorld } from './linked-world.ts';

/** Backend for all projects of a linked world, each with its own settings and learned dialect. */
export function linkedBackend(world: LinkedWorld, settingsOf: (project: Project) => TrackingSettings): ErrorBackend {
  const backends = new Map<number, ErrorBackend>();
  const of = (project: Project): ErrorBackend => {
    const known = backends.get(project.id);
    if (known !== undefined) return known;
    const settings = settingsOf(project);
    const dialect = new Dialect({ kind: settings.tracker?.kind ?? 'unknown' });
    const clock = { now: () => world.tracker.world.now };
    const token = (): string => TRACKER_TOKEN;
    const backend = createThirdpartyBackend({ client: world.client, settings, token, dialect, clock });
    backends.set(project.id, backend);
    return backend;
  };
  return {
    capabilities: (project, ...rest) => of(project).capabilities(project, ...rest),
    list: (project, ...rest) => of(project).list(project, ...rest),
    get: (project, ...rest) => of(project).get(project, ...rest),
    listEvents: (project, ...rest) => of(project).listEvents(project, ...rest),
    event: (project, ...rest) => of(project).event(project, ...rest),
    latestEvent: (project, ...rest) => of(project).latestEvent(project, ...rest),
    oldestEvent: (project, ...rest) => of(project).oldestEvent(project, ...rest),
    setStatuses: (project, ...rest) => of(project).setStatuses(project, ...rest),
    setStatus: (project, errorId, status) => of(project).setStatus(project, errorId, status),
    externalUrl: (project) => of(project).externalUrl(project),
  };
}
