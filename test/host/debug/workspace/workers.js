const { isMainThread, Worker } = require('node:worker_threads');

if (isMainThread) {
  new Worker(__filename);
  const where = 'main';
  debugger;
  console.log(where);
} else {
  const where = 'worker';
  debugger;
  console.log(where);
}
