import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programText } from '../sdks/made-folder.ts';
import { runProgram } from '../sdks/run-program.ts';

/** Changes of the second build: other lines, columns and short names of the same functions. */
const SECOND: Readonly<Record<string, (text: string) => string>> = {
  'prices.js': (text) =>
    `import { OFFERS } from './offers.js';\n\n${text.replace('book.price ??', 'OFFERS.get(book.title) ?? book.price ??')}`,
  'cart.js': (text) => text.replace('  books = [];\n', '  books = [];\n  address = null;\n'),
  'checkout.js': (text) =>
    `import { OFFERS } from './offers.js';\n${text.replace('sold', '${OFFERS.size} offers: sold')}`,
  'offers.js': () => "export const OFFERS = new Map([['Emma', 5]]);\n",
};
const FILES = ['prices.js', 'cart.js', 'checkout.js', 'browser.js', 'server.js'];

/** Who made the commits of the program. */
const AUTHOR = { NAME: 'Ada', EMAIL: 'ada@example.com' };

/** Place in the sources where a call is. */
export interface Place {
  readonly file: string;
  /** Function around it. */
  readonly name: string;
  /** Text of its line without indentation. */
  readonly line: string;
}

/** Calls of the error that the program reports, outermost first. */
export const CALLS: readonly Place[] = [
  { file: 'checkout.js', name: 'checkout', line: 'const total = cart.total();' },
  { file: 'cart.js', name: 'Cart.total', line: 'total += priceOf(book);' },
  { file: 'prices.js', name: 'priceOf', line: 'throw new RangeError(`no price for ${book.title}`);' },
];

/** One of two builds of a program. */
export interface ShopBuild {
  readonly build: 1 | 2;
  readonly folder: string;
  readonly release: string;
  /** Hash of its commit. */
  readonly commit: string;
  /** Returns the lines of a source, with their ends. */
  linesOf(file: string): readonly string[];
}

/** Writes the sources of a build into a repository. `sdk`: folder of `node_modules` with the SDK. */
export async function writeShop(folder: string, build: 1 | 2, sdk: string): Promise<ShopBuild> {
  const names = build === 1 ? FILES : [...FILES, 'offers.js'];
  const texts = new Map(
    names.map((name) => {
      const change = build === 1 ? undefined : SECOND[name];
      const text = name === 'offers.js' ? '' : programText(`shop/${name}`);
      return [name, change?.(text) ?? text] as const;
    }),
  );
  mkdirSync(join(folder, 'src'), { recursive: true });
  for (const [name, text] of texts) writeFileSync(join(folder, 'src', name), text);
  writeFileSync(join(folder, 'package.json'), '{"name":"shop","private":true,"type":"module"}\n');
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>Shop</title><script type="module" src="src/browser.js"></script>\n',
  );
  symlinkSync(sdk, join(folder, 'node_modules'));
  return {
    build,
    folder,
    release: `shop@1.${build}.0`,
    commit: await commitAll(folder),
    linesOf: (file) => texts.get(file)?.split('\n').slice(0, -1) ?? [],
  };
}

/** Makes the folder a repository with a commit, as a build machine has it. Returns the hash. */
async function commitAll(folder: string): Promise<string> {
  const names = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
    Object.entries(AUTHOR).map(([part, value]) => [`GIT_${role}_${part}`, value]),
  );
  const env = { ...Object.fromEntries(names), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const git = async (...args: string[]) => {
    const { status, log } = await runProgram('git', args, { cwd: folder, env });
    if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${log}`);
    return log.trim();
  };
  await git('init', '--quiet', '--initial-branch=main');
  await git('remote', 'add', 'origin', 'https://github.com/acme/shop.git');
  await git('add', 'src', 'package.json', 'index.html');
  await git('commit', '--quiet', '--message', 'Sell books');
  return git('rev-parse', 'HEAD');
}
