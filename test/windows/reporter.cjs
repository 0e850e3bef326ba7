/** Mocha's reporter for `npm run test:windows`: a line of JSON for each test, in the file that the option `output` names. */
const { appendFileSync } = require('node:fs');
const { Base } = require('mocha').reporters;

module.exports = class extends Base {
  constructor(runner, options) {
    super(runner, options);
    const { output } = options.reporterOptions;
    const write = (test, state, error) => {
      const { file, duration } = test;
      const result = { title: test.fullTitle(), state, file, duration, error: error && textOf(error) };
      appendFileSync(output, `${JSON.stringify(result)}\n`);
    };
    runner.on('pass', (test) => write(test, 'passed'));
    runner.on('pending', (test) => write(test, 'skipped'));
    runner.on('fail', (test, error) => write(test, 'failed', error));
  }
};

const textOf = ({ message, stack }) => (stack?.includes(message) ? stack : `${message}\n${stack}`);
