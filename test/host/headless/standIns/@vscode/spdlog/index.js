/** Stands in for a native module: writes the log files of the server and the extension hosts, without rotation. */
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

  /** Messages are written as they are from now on, without time, level and line end. */
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
