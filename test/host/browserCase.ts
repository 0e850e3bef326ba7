/** Runs the tests of one file that drives a window from outside: `node browserCase.ts FILE`. */
import { pathToFileURL } from 'node:url';
import { runMocha } from './mochaRun.ts';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Which file of tests?');
try {
  const { failures } = await runMocha(() => import(pathToFileURL(file).href));
  process.exit(failures.length > 0 ? 1 : 0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
