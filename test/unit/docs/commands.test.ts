import assert from 'node:assert/strict';
import { leafCommands, type LeafCommand } from '../../support/cli-commands.ts';
import { codeLines, codeSpans, described, docPages, readRoot, type DocCode } from '../../support/doc-pages.ts';

/** Options of the command line itself, which every command has. */
const EVERYWHERE = ['--help', '--version'];

/** Options of Node.js and of other programs that pages for operators name. */
const OF_OTHERS = ['--max-semi-space-size', '--no-maglev', '--password'];

/** Words after `errgate` wherever the code calls it, up to a comment or the end of the command. */
function callsIn(code: readonly DocCode[]): DocCode[] {
  return code.flatMap(({ place, text }) =>
    [...text.replace(/(?:^|\s)# .*/, '').matchAll(/(?:^\s*|npx |&& |\/)errgate((?: +[^\s;&|)]+)+)/g)].map(
      ([, words = '']) => ({
        place,
        text: words.trim(),
      }),
    ),
  );
}

function optionsOf(help: string): string[] {
  return [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z][\w-]*)/gm)].map(([, option = '']) => option);
}

function startsWith(name: string, words: readonly string[]): boolean {
  return words.every((word, at) => name.split(' ')[at] === word);
}

/** What is wrong with a call; null when the command and its options exist. */
function fault(call: string, commands: readonly LeafCommand[]): string | null {
  const tokens = call.split(/ +/);
  const word = tokens.findIndex((token) => !/^[a-z][a-z-]*$/.test(token));
  const words = tokens.slice(0, word === -1 ? tokens.length : word);
  // Words behind the command are its operands.
  const command = commands.find(({ name }) => startsWith(words.join(' '), name.split(' ')));
  const meant = command === undefined ? commands.filter(({ name }) => startsWith(name, words)) : [command];
  if (meant.length === 0) return 'no such command';
  const options = [...EVERYWHERE, ...meant.flatMap(({ help }) => optionsOf(help))];
  const given = tokens.flatMap((token) => /^--[a-z][\w-]*/.exec(token)?.[0] ?? []);
  const missing = given.filter((option) => !options.includes(option));
  return missing.length === 0 ? null : `no option ${missing.join(', ')}`;
}

describe('commands in the documentation', () => {
  const pages = docPages();
  const code = [...codeSpans(pages), ...codeLines(pages)];
  const calls = callsIn(code);
  let commands: LeafCommand[];
  before(async () => {
    // Longer names first: `import status` before `import`.
    commands = (await leafCommands()).sort((one, other) => other.name.length - one.name.length);
  });

  it('finds commands in the code and in the pages', () => {
    assert.ok(commands.length > 40, commands.map(({ name }) => name).join());
    assert.ok(calls.length > 80, String(calls.length));
  });

  it('finds faults of calls', () => {
    assert.equal(fault('key list --project acme/shop', commands), null);
    assert.equal(fault('import … --dry-run', commands), null);
    assert.equal(fault('import status', commands), null);
    assert.equal(fault('import state', commands), null);
    assert.equal(fault('key show --project acme/shop', commands), 'no such command');
    assert.equal(fault('keys', commands), 'no such command');
    assert.equal(fault('key list --projects acme/shop', commands), 'no option --projects');
  });

  it('calls no command and no option that is not there', () => {
    const wrong = calls.map((call) => ({ ...call, fault: fault(call.text, commands) }));
    assert.deepEqual(
      wrong.filter((call) => call.fault !== null).map((call) => `${described([call]).join()}: ${call.fault}`),
      [],
    );
  });

  it('names no option by itself that is of no command', () => {
    const forOperators = pages.filter(({ path }) => /^(?:README|SECURITY|docs\/[^/]+)\.md$/.test(path));
    const known = [...EVERYWHERE, ...OF_OTHERS, ...commands.flatMap(({ help }) => optionsOf(help))];
    const named = codeSpans(forOperators).filter(({ text }) => text.startsWith('--'));
    assert.ok(named.length > 20, String(named.length));
    const options = named.flatMap(({ place, text }) =>
      [...text.matchAll(/--[a-z][\w-]*/g)].map(([option]) => ({ place, text: option })),
    );
    assert.deepEqual(described(options.filter(({ text }) => !known.includes(text))), []);
  });

  it('names every command', () => {
    assert.deepEqual(
      commands
        .filter(({ name }) => !calls.some(({ text }) => startsWith(text, name.split(' '))))
        .map(({ name }) => name),
      [],
    );
  });

  it('names no script of the package that is not there', () => {
    const { scripts } = JSON.parse(readRoot('package.json')) as { scripts: Record<string, string> };
    const named = code.flatMap(({ place, text }) =>
      [...text.matchAll(/(?:^\s*|&& )npm run ([a-z][\w-]*(?::[\w-]+)*)/g)].map(([, name = '']) => ({
        place,
        text: name,
      })),
    );
    assert.ok(named.length > 50, String(named.length));
    assert.deepEqual(described(named.filter(({ text }) => !(text in scripts))), []);
  });
});
