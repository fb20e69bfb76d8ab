import type { LanguageFn } from 'highlight.js';
import { createLowlight } from 'lowlight';
import { linesOf, plainLines, type CodeLine } from './code-lines.ts';

/** Each is a chunk of its own, loaded when it is first needed. */
const LANGUAGES: Readonly<Record<string, () => Promise<{ default: LanguageFn }>>> = {
  go: () => import('highlight.js/lib/languages/go'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  php: () => import('highlight.js/lib/languages/php'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
};

/** Code beyond this many characters stays without colours: they are not worth the wait. */
const MAX_LENGTH = 50_000;

const lowlight = createLowlight();

/** Colours code of a language that is known by name; everything else comes back as it is. */
export async function highlight(code: string, language: string): Promise<readonly CodeLine[]> {
  const load = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  if (load === undefined || code.length > MAX_LENGTH) return plainLines(code);
  try {
    if (!lowlight.registered(language)) lowlight.register(language, (await load()).default);
    return linesOf(lowlight.highlight(language, code));
  } catch {
    // A chunk that cannot be loaded now; colours are no reason to fail.
    return plainLines(code);
  }
}
