/** Whether suites also run that `npm run test:full` alone runs: on every store, and at sizes that take long. */
export const IN_FULL_RUN = process.env['ERRGATE_TEST_STORES'] === 'all';

/** Declares a test for `npm run test:full` alone. In other runs it is skipped, and its title says where it runs. */
export function itInFullRun(title: string, body: (this: Mocha.Context) => Promise<void>): void {
  if (IN_FULL_RUN) it(title, body);
  else it(`${title} (npm run test:full)`);
}

/** Declares a suite for `npm run test:full` alone. In other runs it has one skipped test. */
export function suiteInFullRun(title: string, body: (this: Mocha.Suite) => void): void {
  if (IN_FULL_RUN) describe(title, body);
  else skippedSuite(title);
}

/** Declares a suite with one skipped test, because mocha takes a file without tests for a failure. */
export function skippedSuite(title: string): void {
  describe(title, () => {
    it('runs in npm run test:full');
  });
}
