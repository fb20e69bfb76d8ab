import { computed, ref, shallowRef, watch, type Ref } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import type { Capabilities, ErrorDetail } from '../../api/errors-api.ts';
import { projectOf } from '../../app/router.ts';
import { mergeGroups } from '../errors/merge-groups.ts';
import { showMerged } from '../errors/use-merging.ts';
import { loadMergeDialog } from './load-merge-dialog.ts';

/**
 * State of merging other errors into the error of a page: support by the backend, open dialog, and navigation
 * afterwards. The merged error may have another number. `reload` refreshes the page.
 */
export function useMergeInto(
  project: Ref<string>,
  error: Ref<ErrorDetail | null>,
  capabilities: Readonly<Ref<Capabilities | null>>,
  reload: () => void,
) {
  const route = useRoute();
  const router = useRouter();
  const possible = computed(() => capabilities.value?.merge === true);
  const dialog = shallowRef<Awaited<ReturnType<typeof loadMergeDialog>>>(null);
  const open = ref(false);

  watch(
    () => route.params.id,
    () => (open.value = false),
  );

  /** Opens the dialog, unless the page shows another error by then. */
  async function ask(): Promise<void> {
    const { id } = route.params;
    dialog.value = await loadMergeDialog();
    open.value = dialog.value !== null && route.params.id === id;
  }

  /** Whether the page still shows this error. */
  function shows(path: string, id: string): boolean {
    const here = route.name === 'error' && projectOf(route) === path;
    return here && (route.params.id === id || error.value?.id === id);
  }

  function show(id: string): void {
    if (route.params.id === id) reload();
    else void router.replace({ name: 'error', params: { project: project.value.split('/'), id } });
  }

  /** Merges errors, including that of the page. Throws an `ApiFailure`; the dialog then stays open. */
  async function merge(ids: readonly string[]): Promise<void> {
    const [path, own] = [project.value, error.value?.id];
    if (own === undefined) return;
    const groups = await mergeGroups(path, ids);
    showMerged(ids, groups, () => {
      if (shows(path, groups.root)) show(own);
    });
    if (!shows(path, own)) return;
    open.value = false;
    show(groups.root);
  }

  return { possible, dialog, open, ask, merge };
}
