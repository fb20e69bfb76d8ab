import { runProcess } from './cli/program.ts';

// `errgate … | head`: the reader has what it wants.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
const { env, stdin, stdout, stderr } = process;
process.exit(await runProcess(process.argv.slice(2), { env, stdin, stdout, stderr, signals: process }));
