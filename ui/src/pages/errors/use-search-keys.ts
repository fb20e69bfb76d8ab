import { onScopeDispose, shallowRef, watch } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { listSearchKeys, type SearchKeys } from '../../api/error-list-api.ts';
import type { SearchKeyInfo } from './search-completion.ts';

/** Spans that keys of times offer, and what they mean. */
const TIMES: Readonly<Record<string, string>> = {
  '-1h': 'within the last hour',
  '-24h': 'within the last 24 hours',
  '-7d': 'within the last 7 days',
  '-30d': 'within the last 30 days',
  '+7d': 'more than 7 days ago',
};

function infosOf({ keys, tags }: SearchKeys): readonly SearchKeyInfo[] {
  const named = keys.map(({ key, kind, description, values }): SearchKeyInfo => {
    if (kind === 'time') return { key, description, values: Object.keys(TIMES), suggests: false, hints: TIMES };
    if (kind === 'person') return { key, description, values: ['me', 'none'], suggests: true };
    if (kind === 'tag') return { key, description, values: key === 'has' ? tags : [], suggests: false };
    return { key, description, values: values ?? [], suggests: values === null };
  });
  const taken = new Set<string>(named.map(({ key }) => key));
  const byTag = tags.filter((tag) => !taken.has(tag) && !/[\s:"]/.test(tag));
  return [...named, ...byTag.map((key) => ({ key, description: 'Tag', values: [], suggests: true }))];
}

/** Keys of the search, read when `load` is first called in a project. */
export function useSearchKeys(project: () => string) {
  const keys = shallowRef<readonly SearchKeyInfo[]>([]);
  let running: AbortController | null = null;

  async function load(): Promise<void> {
    if (running !== null) return;
    const mine = (running = new AbortController());
    try {
      const found = await listSearchKeys(project(), mine.signal);
      if (!mine.signal.aborted) keys.value = infosOf(found);
    } catch (error) {
      // The search works without completion; the next focus asks again.
      if (running === mine) running = null;
      if (!mine.signal.aborted && !(error instanceof ApiFailure)) throw error;
    }
  }

  function forget(): void {
    running?.abort();
    running = null;
    keys.value = [];
  }

  watch(project, forget);
  onScopeDispose(forget);
  return { keys, load };
}
