import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

interface DocPage {
  /** From the root: `docs/api.md`. */
  readonly path: string;
  readonly text: string;
}

/** Text in the typeface of code, with line breaks as spaces. */
export interface DocCode {
  /** Page and line: `docs/api.md:26`. */
  readonly place: string;
  readonly text: string;
}

/** Reads a file of the repository. */
export function readRoot(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Pages for people who use or change errgate, all but the history. */
export function docPages(): DocPage[] {
  const below = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`);
  const paths = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md', 'bench/uploads.md', ...below.sort()];
  return paths.map((path) => ({ path, text: readRoot(path) }));
}

const BLOCK = /^ *```.*\n([^]*?)^ *```$/gm;
const SPAN = /(`+)((?:[^`]|(?!\1)`)+)\1/g;

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** Code between backticks within sentences and tables. */
export function codeSpans(pages: readonly DocPage[]): DocCode[] {
  return pages.flatMap(({ path, text }) => {
    const prose = text.replace(BLOCK, (block) => block.replaceAll(/[^\n]/g, ''));
    return [...prose.matchAll(SPAN)].map((found) => ({
      place: `${path}:${lineAt(prose, found.index)}`,
      text: (found[2] ?? '').replaceAll(/\s+/g, ' ').trim(),
    }));
  });
}

/** Lines of blocks of code. */
export function codeLines(pages: readonly DocPage[]): DocCode[] {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(BLOCK)].flatMap((block) => {
      const first = lineAt(text, block.index) + 1;
      return (block[1] ?? '').split('\n').map((line, at) => ({ place: `${path}:${first + at}`, text: line }));
    }),
  );
}

/** Matches of a pattern anywhere in the pages, each with its place. */
export function namesIn(pages: readonly DocPage[], pattern: RegExp): DocCode[] {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map((found) => ({ place: `${path}:${lineAt(text, found.index)}`, text: found[0] })),
  );
}

/** Describes names for a message: `docs/api.md:26 errgate_session`. */
export function described(names: readonly DocCode[]): string[] {
  return names.map(({ place, text }) => `${place} ${text}`);
}
