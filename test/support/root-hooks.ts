import { makeScryptCheap } from './cheap-scrypt.ts';
import { endRun } from './run-end.ts';

/** Loaded by mocha before every suite: an unhandled rejection fails the run. */
process.on('unhandledRejection', (reason) => {
  throw reason;
});

makeScryptCheap();

/** Without it, what the files of a run share would keep mocha's process from ending. */
export const mochaGlobalTeardown = endRun;
