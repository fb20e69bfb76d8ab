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

/** Reads a project by its full path; null when it is missing or the request failed. */
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

/** Checks that a project exists, unless this is known already. */
export async function checkProject(path: string): Promise<void> {
  if (there.get(path) !== true) await lookUpProject(path);
}

/** Whether the service answered that the project does not exist or is not visible to the user. */
export function isMissing(path: string | null): boolean {
  return path !== null && there.get(path) === false;
}
