/**
 * Stands in for `@vscode/spdlog` in the headless VS Code: the original has to be compiled. Writes the log files of
 * the server and of its extension hosts, without rotation.
 */
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
  #file;
  #level = LEVELS.indexOf('info');
  #isPlain = false;

  constructor(file) {
    mkdirSync(dirname(file), { recursive: true });
    this.#file = file;
  }

  trace = (message) => this.#write('trace', message);
  debug = (message) => this.#write('debug', message);
  info = (message) => this.#write('info', message);
  warn = (message) => this.#write('warning', message);
  error = (message) => this.#write('error', message);
  critical = (message) => this.#write('critical', message);

  getLevel() {
    return this.#level;
  }

  setLevel(level) {
    this.#level = level;
  }

  /** From now on messages are written as they are, without time, level and line end. */
  clearFormatters() {
    this.#isPlain = true;
  }

  setPattern() {}
  flush() {}
  drop() {}

  #write(level, message) {
    if (LEVELS.indexOf(level) < this.#level) return;
    const now = new Date();
    const time = `${now.toLocaleString('sv')}.${String(now.getMilliseconds()).padStart(3, '0')}`;
    appendFileSync(this.#file, this.#isPlain ? message : `${time} [${level}] ${message}\n`);
  }
}

exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = async (_name, file) => new Logger(file);
exports.createAsyncRotatingLogger = exports.createRotatingLogger;
