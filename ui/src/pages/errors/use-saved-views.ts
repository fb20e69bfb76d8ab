import { computed, type Ref } from 'vue';
import { deleteView, listViews, saveView, type SavedView } from '../../api/views-api.ts';
import { readStored, writeStored } from '../../lib/stored.ts';
import { useAction } from '../../lib/use-action.ts';
import { useLoaded } from '../../lib/use-loaded.ts';

const key = (project: string): string => `errgate.default-view.${project}`;

/** Query of the default view as it was last known in this browser; empty without one. */
export function knownDefault(project: string): string {
  return readStored(key(project)) ?? '';
}

/** Saved searches of the user in a project. `onDefault` takes the query of the default view when it is known. */
export function useSavedViews(project: Ref<string>, onDefault: (query: string) => unknown) {
  const { value, failure, load } = useLoaded(
    async (signal) => {
      const views = await listViews(project.value, signal);
      remember(views);
      void onDefault(defaultOf(views));
      return views;
    },
    () => project.value,
  );

  const defaultOf = (views: readonly SavedView[]): string => views.find((view) => view.is_default)?.query ?? '';

  function remember(views: readonly SavedView[]): void {
    writeStored(key(project.value), defaultOf(views));
  }

  const change = useAction(async (run: () => Promise<unknown>) => {
    await run();
    const views = await listViews(project.value, new AbortController().signal);
    value.value = views;
    remember(views);
  });

  return {
    views: computed(() => value.value ?? []),
    failure,
    load,
    busy: change.busy,
    problem: change.problem,
    save: (name: string, query: string, isDefault = false) =>
      change.run(() => saveView(project.value, { name, query, is_default: isDefault })),
    setDefault: ({ name, query }: SavedView, isDefault: boolean) =>
      change.run(() => saveView(project.value, { name, query, is_default: isDefault })),
    remove: ({ id }: SavedView) => change.run(() => deleteView(project.value, id)),
  };
}

export type SavedViews = ReturnType<typeof useSavedViews>;
