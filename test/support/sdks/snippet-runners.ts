import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { phpSdk } from './php-sdk.ts';
import { runProgram } from './run-program.ts';
import type { Missing, ProgramRun, SdkClient } from './sdk-client.ts';
import { SDK_LANGUAGES } from './sdk-languages.ts';

/** Runs a snippet of the pages. */
export interface SnippetRunner {
  /** Id of the snippet. */
  readonly id: string;
  /** Whether the runner downloads packages. */
  readonly downloads: boolean;
  prepare(): Promise<Missing | null>;
  run(text: string): Promise<ProgramRun>;
}

const NODE_MODULES = resolve(import.meta.dirname, '../../../node_modules');

/** Runs with errgate's own SDK, in an otherwise empty folder. */
const installedNode: SnippetRunner = {
  id: 'node',
  downloads: false,
  prepare: () => Promise.resolve(null),
  async run(text) {
    const folder = mkdtempSync(join(tmpdir(), 'errgate-snippet-'));
    try {
      symlinkSync(NODE_MODULES, join(folder, 'node_modules'));
      writeFileSync(join(folder, 'app.mjs'), text);
      return await runProgram(process.execPath, ['app.mjs'], { cwd: folder });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Runs with the newest version that is available on this machine. */
function made(id: string, language: string): SnippetRunner {
  const clients = SDK_LANGUAGES.find((one) => one.language === language)?.clients ?? [];
  let chosen: SdkClient | undefined;
  return {
    id,
    downloads: true,
    async prepare() {
      let missing: Missing = { missing: `no SDK of ${language} is known` };
      for (const client of clients) {
        const prepared = await client.prepare();
        if (typeof prepared !== 'function') {
          missing = prepared;
          continue;
        }
        chosen = client;
        return null;
      }
      return missing;
    },
    run(text) {
      if (chosen === undefined) throw new Error('it was not prepared');
      return chosen.runText(text);
    },
  };
}

export const SNIPPET_RUNNERS: readonly SnippetRunner[] = [
  installedNode,
  made('browser', 'Browser'),
  made('python', 'Python'),
  made('go', 'Go'),
  made('java', 'Java'),
  { id: 'php', downloads: true, prepare: phpSdk.prepare, run: phpSdk.runText },
  made('ruby', 'Ruby'),
  made('rust', 'Rust'),
];
