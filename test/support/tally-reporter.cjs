const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

/** Mocha's spec output, and the totals as JSON in the file that the option `tally` names. */
class TallyReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = options.reporterOptions?.tally ?? options.reporterOption?.tally;
    runner.once('end', () => {
      const { passes, failures, pending } = runner.stats;
      writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
}

module.exports = TallyReporter;
