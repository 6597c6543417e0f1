/**
 * Mocha's `spec` report, and after it the totals as JSON in the file that TALLY_FILE names, so that .ci/run need not
 * read prose. Mocha loads reporters with require() and takes what the module is, hence CommonJS.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- the only import there is in CommonJS under verbatimModuleSyntax */
import fs = require('node:fs');
import mocha = require('mocha');

class TallyReporter extends mocha.reporters.Spec {
  constructor(runner: mocha.Runner, options: mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      const file = process.env['TALLY_FILE'];
      const { passes, failures, pending } = this.stats;
      if (file !== undefined) fs.writeFileSync(file, `${JSON.stringify({ passes, failures, pending })}\n`);
    });
  }
}

export = TallyReporter;
