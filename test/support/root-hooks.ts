import './cheap-scrypt.mjs';
import { useMemoryForFolders } from './memory-folder.ts';
import { endRun } from './run-end.ts';

/** Loaded by mocha before every suite: an unhandled rejection fails the run. */
process.on('unhandledRejection', (reason) => {
  throw reason;
});

useMemoryForFolders();

/** Ends shared resources, which would otherwise keep mocha's process alive. */
export const mochaGlobalTeardown = endRun;
