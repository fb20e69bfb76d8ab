import { shallowRef, watch, type Ref } from 'vue';
import { lazily, lazyRounds } from '../lazily.ts';
import { plainLines, type CodeLine } from './code-lines.ts';

const highlighter = lazily(() => import('./highlight.ts'));

/** Lines of code: plain text first, coloured once the highlighter has loaded. Without a language they stay plain. */
export function useHighlighted(of: () => { code: string; language: string | null }): Ref<readonly CodeLine[]> {
  const lines = shallowRef<readonly CodeLine[]>([]);
  watch(
    () => [of().code, of().language, lazyRounds.value] as const,
    async ([code, language], _before, onCleanup) => {
      let current = true;
      onCleanup(() => (current = false));
      lines.value = plainLines(code);
      if (language === null) return;
      const coloured = await (await highlighter())?.highlight(code, language);
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- set by the cleanup meanwhile
      if (current && coloured !== undefined) lines.value = coloured;
    },
    { immediate: true },
  );
  return lines;
}
