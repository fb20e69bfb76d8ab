import { endRun } from './run-end.ts';

/** Loaded by mocha before every suite: a promise nobody awaited fails the run instead of vanishing. */
process.on('unhandledRejection', (reason) => {
  throw reason;
});

/** Without it, what the files of a run share would keep mocha's process from ending. */
export const mochaGlobalTeardown = endRun;
