import { addFile, folderOf, makeFolder } from './made-folder.ts';
import { runProgram } from './run-program.ts';
import type { Missing, ProgramRun } from './sdk-client.ts';

const NAME = 'php-4';

/** PHP SDK, used only for the snippet of the pages; needs Composer. */
export const phpSdk = {
  prepare: async (): Promise<Missing | null> =>
    makeFolder({
      name: NAME,
      toolchain: ['composer', '--version'],
      advice: 'install PHP and Composer',
      files: { 'composer.json': JSON.stringify({ require: { 'sentry/sentry': '^4.29' } }) },
      steps: [{ command: ['composer', 'install', '--no-interaction', '--quiet'], fetches: true }],
    }),
  runText: (text: string): Promise<ProgramRun> => {
    addFile(NAME, 'app.php', text);
    return runProgram('php', ['app.php'], { cwd: folderOf(NAME) });
  },
};
