/** Runs the tests of one file that drives a window from outside: `node browserCase.ts FILE`. */
import { pathToFileURL } from 'node:url';
import { closeAll } from './cleanup.ts';
import { describeWindows } from './headless/scene.ts';
import { runMocha } from './mochaRun.ts';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Which file of tests?');
let exitCode = 1;
try {
  const { failures } = await runMocha(() => import(pathToFileURL(file).href), describeWindows);
  exitCode = failures.length > 0 ? 1 : 0;
} catch (error) {
  console.error(error);
}
await closeAll();
process.exit(exitCode);
