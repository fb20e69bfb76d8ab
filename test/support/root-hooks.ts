/** Loaded by mocha before every suite: a promise nobody awaited fails the run instead of vanishing. */
process.on('unhandledRejection', (reason) => {
  throw reason;
});
