import { decide } from '../../auth/policy.ts';
import { NO_ACCESS } from '../../domain/ports/stores/overview-store.ts';
import type { Project } from '../../domain/projects/project.ts';
import type { TrackingSettings } from '../../domain/projects/tracking-settings.ts';
import type { AgentCall } from './agent-tool.ts';

function backendOf(settings: TrackingSettings | null): 'integrated' | 'tracker' | 'off' {
  if (settings?.active !== true) return 'off';
  return settings.integrated ? 'integrated' : 'tracker';
}

interface VisibleProject {
  readonly project: Project;
  readonly backend: 'integrated' | 'tracker' | 'off';
  readonly readable: boolean;
}

/** Returns what the caller may read of these projects, at most MAX_PROJECTS_AT_ONCE. */
export async function withAccess(call: AgentCall, projects: readonly Project[]): Promise<VisibleProject[]> {
  const { deps, principal } = call;
  const ids = projects.map(({ id }) => id);
  const access = await deps.store.projectAccess(ids, principal.user.id);
  return projects.map((project) => {
    const { settings, level } = access.get(project.id) ?? NO_ACCESS;
    const readable = decide(principal, 'read_errors', project, level) === 'ok';
    return { project, backend: backendOf(settings), readable };
  });
}

export async function projectsOf({ deps, principal }: AgentCall): Promise<readonly Project[]> {
  const { user } = principal;
  return user.admin ? deps.store.listProjects() : deps.store.projectsOfUser(user.id);
}
