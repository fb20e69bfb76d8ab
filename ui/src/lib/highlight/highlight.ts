import type { LanguageFn } from 'highlight.js';
import { createLowlight } from 'lowlight';
import { lazily } from '../lazily.ts';
import { linesOf, plainLines, type CodeLine } from './code-lines.ts';

/** Each language is a separate chunk, loaded on first use. */
const LANGUAGES: Readonly<Record<string, () => Promise<{ default: LanguageFn } | null>>> = {
  go: lazily(() => import('highlight.js/lib/languages/go')),
  java: lazily(() => import('highlight.js/lib/languages/java')),
  javascript: lazily(() => import('highlight.js/lib/languages/javascript')),
  php: lazily(() => import('highlight.js/lib/languages/php')),
  python: lazily(() => import('highlight.js/lib/languages/python')),
  ruby: lazily(() => import('highlight.js/lib/languages/ruby')),
  rust: lazily(() => import('highlight.js/lib/languages/rust')),
  typescript: lazily(() => import('highlight.js/lib/languages/typescript')),
};

/** Maximum of characters that are coloured; longer code takes too long. */
const MAX_LENGTH = 50_000;

const lowlight = createLowlight();

/** Colours code of a known language; other code is returned without colours. */
export async function highlight(code: string, language: string): Promise<readonly CodeLine[]> {
  const load = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  if (load === undefined || code.length > MAX_LENGTH) return plainLines(code);
  const loaded = await load();
  // A grammar that fails to load leaves the code without colours.
  if (loaded === null) return plainLines(code);
  if (!lowlight.registered(language)) lowlight.register(language, loaded.default);
  return linesOf(lowlight.highlight(language, code));
}
