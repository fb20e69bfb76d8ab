const { writeFileSync } = require('node:fs');
const { relative, sep } = require('node:path');
const { reporters } = require('mocha');

/** Maximum characters of the reason of a failure. */
const MAX_REASON = 200;

/**
 * Reporter with mocha's spec output. Writes totals, seconds per file, and and of failed tests file, title and the
 * first line of the error, as JSON to the file of the option `tally`. Seconds include tests and hooks, but not the loading of the file.
 */
class TallyReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = options.reporterOptions?.tally ?? options.reporterOption?.tally;
    const seconds = {};
    const failed = [];
    const nameOf = (path) => relative(process.cwd(), path).replaceAll(sep, '/');
    const add = ({ file: path, duration = 0 }) => {
      // Hooks of the whole run have no file.
      if (path === undefined) return;
      const name = nameOf(path);
      seconds[name] = (seconds[name] ?? 0) + duration / 1000;
    };
    runner.on('test end', add);
    runner.on('hook end', add);
    runner.on('fail', (test, error) => {
      const title = test.titlePath().join(' › ');
      const [reason] = `${error?.message ?? error}`.split('\n');
      failed.push(
        `${test.file === undefined ? '' : `${nameOf(test.file)}: `}${title} (${reason.slice(0, MAX_REASON)})`,
      );
    });
    runner.once('end', () => {
      const { passes, failures, pending } = runner.stats;
      const counts = { passed: passes, failed: failures, skipped: pending };
      writeFileSync(file, JSON.stringify({ ...counts, seconds, failures: failed }));
    });
  }
}

module.exports = TallyReporter;
