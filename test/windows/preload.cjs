/** Loaded into each Windows Node that Wine runs: what Node calls and Wine 8 lacks. */
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { Socket } = require('node:net');

// The option fails, and with it each connection that fetch makes.
Socket.prototype.setKeepAlive = function () {
  return this;
};

// Windows deletes what a process still has open; in Wine its folder is not empty until then. And a folder in which a program runs
// stays until that is ended, which in Wine takes a turn of the event loop: its taskkill knows no /T.
const { rmSync } = fs;
fs.rmSync = (path, options) => {
  try {
    rmSync(path, options);
  } catch (error) {
    if (!/^(ENOTEMPTY|EBUSY)$/.test(error.code) || !options?.recursive) throw error;
  }
};
syncBuiltinESMExports();
