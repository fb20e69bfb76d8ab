import { shallowReactive, watch } from 'vue';
import { ApiFailure } from '../api/api-failure.ts';
import { getProject, type Project } from '../api/projects-api.ts';
import { person } from './session.ts';

/** Requested projects by full path: true when the signed-in user can see them. */
const there = shallowReactive(new Map<string, boolean>());

watch(
  () => person.value?.id,
  () => there.clear(),
);

/** Asks for the project of a full path; null where there is none, or that cannot be found out now. */
export async function lookUpProject(path: string): Promise<Project | null> {
  try {
    const project = await getProject(path);
    there.set(path, true);
    return project;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.kind === 'missing') there.set(path, false);
    return null;
  }
}

/** Finds out whether there is a project, unless it is known to be there. */
export function checkProject(path: string): void {
  if (there.get(path) !== true) void lookUpProject(path);
}

/** Whether the service said that there is no such project, or none that the person may see. */
export function isMissing(path: string | null): boolean {
  return path !== null && there.get(path) === false;
}
