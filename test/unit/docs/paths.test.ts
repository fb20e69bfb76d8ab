import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { codeLines, codeSpans, described, docPages, readRoot, ROOT } from '../../support/doc-pages.ts';

const FOLDERS = ['src', 'test', 'docs', 'bench', 'scripts', 'config', 'ui', 'bin'];
/** Files of projects that send events, in examples. */
const EXAMPLES = ['src/cart.py'];
const PATH = new RegExp(`(?<![\\w./<-])(?:${FOLDERS.join('|')})/(?:\\{[^}]*\\}|[^\\s"'\`,;:)])*`, 'g');

/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`. */
function expanded(path: string): string[] {
  const [, before, inside, after] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(path) ?? [];
  if (inside === undefined) return [path];
  return inside.split(/, ?/).flatMap((part) => expanded(`${before ?? ''}${part}${after ?? ''}`));
}

/** True when a file or a folder has the path, of which a part may be left open: `*`, `<name>`, `…`. */
function exists(path: string): boolean {
  const parts = path.split(/[#?]/, 1)[0]?.split('/').filter(Boolean) ?? [];
  const matching = (folders: string[], part: string): string[] => {
    if (!/[*<…]/.test(part))
      return folders.map((folder) => join(folder, part)).filter((at) => existsSync(join(ROOT, at)));
    const source = part.replaceAll('.', '\\.').replaceAll(/\*+|<[^>]+>|…/g, '.*');
    return folders.flatMap((folder) =>
      readdirSync(join(ROOT, folder))
        .filter((name) => new RegExp(`^${source}$`).test(name))
        .map((name) => join(folder, name)),
    );
  };
  return parts.reduce(matching, ['']).length > 0;
}

/** The anchor that Git hosts make of a heading. */
function anchor(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Pages that the code names, also with a section: `docs/api.md, "Names"`. */
function pagesInCode(): { readonly place: string; readonly page: string; readonly section: string | undefined }[] {
  const files = ['src', 'config', 'ui/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  return files
    .filter((file) => /\.(?:ts|vue)$/.test(file))
    .flatMap((place) => {
      const text = readRoot(place).replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ');
      const named = text.matchAll(/\b(docs\/[\w/-]+\.md)(?:, "([^"]+)")?/g);
      return [...named].map(([, page = '', section]) => ({ place, page, section }));
    });
}

/** Anchors of the headings of a page, as Git hosts make them: of two of the same text the second ends with `-1`. */
function anchors(path: string): string[] {
  const prose = readRoot(path).replaceAll(/^ *```.*\n[^]*?^ *```$/gm, '');
  const texts = [...prose.matchAll(/^#+ +(.+)$/gm)].map(([, text = '']) => anchor(text));
  return texts.map((text, at) => {
    const before = texts.slice(0, at).filter((other) => other === text).length;
    return before === 0 ? text : `${text}-${before}`;
  });
}

describe('paths in the documentation', () => {
  const pages = docPages();
  const code = [...codeSpans(pages), ...codeLines(pages)];

  it('names no file and no folder of the repository that is not there', () => {
    const named = code.flatMap(({ place, text }) =>
      [...text.matchAll(PATH)].flatMap(([path]) => expanded(path).map((one) => ({ place, text: one }))),
    );
    assert.ok(named.length > 150, String(named.length));
    assert.deepEqual(described(named.filter(({ text }) => !EXAMPLES.includes(text) && !exists(text))), []);
  });

  it('names no test and no contract that is not there', () => {
    const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).map((file) => basename(file));
    const named = code.flatMap(({ place, text }) =>
      [...text.matchAll(/[\w-]+\.(?:test|contract)\.ts\b/g)].map(([file]) => ({ place, text: file })),
    );
    assert.ok(named.length > 80, String(named.length));
    assert.deepEqual(described(named.filter(({ text }) => !files.includes(text))), []);
  });

  it('has every page and section that the code names', () => {
    const named = pagesInCode();
    assert.ok(named.filter(({ section }) => section !== undefined).length > 5, String(named.length));
    const missing = named.filter(
      ({ page, section }) =>
        !existsSync(join(ROOT, page)) || (section !== undefined && !anchors(page).includes(anchor(section))),
    );
    assert.deepEqual(
      missing.map(({ place, page, section }) => `${place} ${page} ${section ?? ''}`),
      [],
    );
  });

  it('links to no page and to no heading that is not there', () => {
    const links = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?![a-z]+:)([^()\s]+)\)/g)].map(([, target = '']) => ({ path, target })),
    );
    assert.ok(links.length > 120, String(links.length));
    const broken = links.filter(({ path, target }) => {
      const [file = '', heading] = target.split('#');
      const page = file === '' ? path : normalize(join(dirname(path), file));
      if (!existsSync(join(ROOT, page))) return true;
      return heading !== undefined && !anchors(page).includes(decodeURIComponent(heading));
    });
    assert.deepEqual(
      broken.map(({ path, target }) => `${path} ${target}`),
      [],
    );
  });
});
