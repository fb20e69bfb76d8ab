const { writeFileSync } = require('node:fs');
const { relative, sep } = require('node:path');
const { reporters } = require('mocha');

/**
 * Reporter with mocha's spec output. Writes totals and seconds per file as JSON to the file of the option `tally`.
 * Seconds include tests and hooks, but not the loading of the file.
 */
class TallyReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = options.reporterOptions?.tally ?? options.reporterOption?.tally;
    const seconds = {};
    const add = ({ file: path, duration = 0 }) => {
      // Hooks of the whole run have no file.
      if (path === undefined) return;
      const name = relative(process.cwd(), path).replaceAll(sep, '/');
      seconds[name] = (seconds[name] ?? 0) + duration / 1000;
    };
    runner.on('test end', add);
    runner.on('hook end', add);
    runner.once('end', () => {
      const { passes, failures, pending } = runner.stats;
      writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending, seconds }));
    });
  }
}

module.exports = TallyReporter;
