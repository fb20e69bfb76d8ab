import { computed, onScopeDispose, shallowRef, watch } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { keyCompletions, valueCompletions, wordAt, type Completion, type SearchKeyInfo } from './search-completion.ts';

/** Milliseconds without typing after which values are asked for. */
const PAUSE_MS = 120;

interface Source {
  readonly text: string;
  readonly caret: number;
  /** Whether the list is open; closed lists ask for nothing. */
  readonly open: boolean;
  readonly keys: readonly SearchKeyInfo[];
}

/** Completions of the word at the caret. `ask` reads the values of a key that begin with a text. */
export function useCompletions(
  source: () => Source,
  ask: (key: string, prefix: string, signal: AbortSignal) => Promise<readonly string[]>,
) {
  const values = shallowRef<readonly string[]>([]);
  /** Whether values are on their way. */
  const loading = shallowRef(false);
  /** Key whose values are loaded. */
  let loadedKey = '';
  let running = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const word = computed(() => wordAt(source().text, source().caret));
  const info = computed(() => {
    const { key } = word.value;
    return key === null ? null : (source().keys.find((each) => each.key === key.toLowerCase()) ?? null);
  });
  const completions = computed<readonly Completion[]>(() => {
    const { text, keys } = source();
    if (word.value.key === null) return keyCompletions(text, word.value, keys);
    return valueCompletions(text, word.value, [...(info.value?.values ?? []), ...values.value], info.value?.hints);
  });

  async function load(key: string, prefix: string): Promise<void> {
    const mine = (running = new AbortController());
    try {
      const found = await ask(key, prefix, mine.signal);
      if (!mine.signal.aborted) values.value = found;
    } catch (error) {
      // The search works without suggestions.
      if (!mine.signal.aborted && !(error instanceof ApiFailure)) throw error;
    } finally {
      if (running === mine) loading.value = false;
    }
  }

  watch(
    () => (source().open && info.value?.suggests === true ? `${info.value.key}:${word.value.typed}` : null),
    (wanted) => {
      clearTimeout(timer);
      running.abort();
      loading.value = false;
      if (info.value?.key !== loadedKey) values.value = [];
      if (wanted === null || info.value === null) return;
      const { key } = info.value;
      const { typed } = word.value;
      loadedKey = key;
      loading.value = true;
      timer = setTimeout(() => void load(key, typed), PAUSE_MS);
    },
  );
  onScopeDispose(() => {
    clearTimeout(timer);
    running.abort();
  });
  return { completions, loading, info };
}
