import { DEFAULT_ALERTS, DEFAULT_RULE, type ProjectAlerts } from '../alerts/alert-rule.ts';
import { joinedDefaults, type GroupDefaults } from './group-defaults.ts';
import { groupPathsOf } from './group-paths.ts';
import type { Group } from './group.ts';
import type { NewProject, Project } from './project.ts';

/** Part of the store that makes projects. */
interface ProjectMaker {
  createProject(project: NewProject): Promise<Project>;
  groupByPath(path: string): Promise<Group | null>;
  saveSettings(projectId: number, settings: { readonly active: true; readonly integrated: true }): Promise<unknown>;
}

/** Part of the store that keeps alert rules. */
interface AlertKeeper {
  saveProjectAlerts(projectId: number, alerts: ProjectAlerts): Promise<unknown>;
}

/**
 * Creates a project with the defaults of its groups. A visibility that is given wins. Throws `conflict` when the path is
 * taken.
 */
export async function createProjectInGroup(
  store: ProjectMaker,
  alertStore: AlertKeeper,
  { path, name, visibility }: Omit<NewProject, 'visibility'> & Partial<Pick<NewProject, 'visibility'>>,
): Promise<Project> {
  const groups = await Promise.all(groupPathsOf(path).map((group) => store.groupByPath(group)));
  const nearestFirst = groups.filter((group) => group !== null).reverse();
  const defaults = joinedDefaults(nearestFirst.map((group) => group.defaults));
  const own = defaults.visibility === 'inherit' ? 'private' : defaults.visibility;
  const project = await store.createProject({ path, name, visibility: visibility ?? own });
  if (defaults.errorTracking === 'enabled') await store.saveSettings(project.id, { active: true, integrated: true });
  const alerts = alertsOf(defaults.alerts);
  if (alerts !== null) await alertStore.saveProjectAlerts(project.id, alerts);
  return project;
}

/** Returns the alert settings of a new project; null: those that every project has without any. */
function alertsOf(mode: GroupDefaults['alerts']): ProjectAlerts | null {
  if (mode === 'inherit' || mode === 'now') return null;
  const rule =
    mode === 'off' ? { ...DEFAULT_RULE, enabled: false } : { ...DEFAULT_RULE, how: { ...DEFAULT_RULE.how, mode } };
  return { ...DEFAULT_ALERTS, rules: [rule] };
}
