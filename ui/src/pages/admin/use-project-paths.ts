import { shallowRef, watch, type Ref } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { getProject } from '../../api/projects-api.ts';

/** Paths of projects by their ids, each requested once; null when there is no such project. */
export function useProjectPaths(numbers: () => readonly number[]): Ref<ReadonlyMap<number, string | null>> {
  const paths = shallowRef<ReadonlyMap<number, string | null>>(new Map());
  const asked = new Set<number>();

  async function ask(id: number): Promise<void> {
    asked.add(id);
    try {
      const { path_with_namespace: path } = await getProject(String(id));
      paths.value = new Map([...paths.value, [id, path]]);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (error.kind === 'missing') paths.value = new Map([...paths.value, [id, null]]);
      else asked.delete(id);
    }
  }

  watch(numbers, (wanted) => wanted.filter((id) => !asked.has(id)).forEach((id) => void ask(id)), { immediate: true });
  return paths;
}
