/** npm, run on the project's Node instead of the machine's. */
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { projectNode, projectRoot } from '../paths.ts';
import { findProgram } from '../programs.ts';
import { run } from './step.ts';

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Runs npm in `directory`, without the install scripts of packages. A script that `args` names is run, and an npm that
 * this script calls does the same.
 */
export function npm(directory: string, ...args: string[]): Promise<void> {
  const path = [join(projectRoot, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  // Inside `npm test` this tells of the outer npm and its Node, and scripts go by it.
  const { npm_config_user_agent: _, ...env } = process.env;
  const options = { cwd: directory, env: { ...env, PATH: path } };
  return run(projectNode(), [npmCli(), ...args, '--ignore-scripts', ...QUIET], options);
}

/** npm's entry as a script: the one that runs us, else the one behind `npm` on PATH (a link, or a shell script beside it). */
function npmCli(): string {
  const running = process.env.npm_execpath;
  if (running?.endsWith('npm-cli.js') && existsSync(running)) return running;
  const program = findProgram('npm');
  if (program) {
    const target = realpathSync(program);
    const beside = [target, join(dirname(target), '../lib/node_modules/npm/bin/npm-cli.js')];
    const script = beside.find((path) => path.endsWith('npm-cli.js') && existsSync(path));
    if (script) return script;
  }
  throw new Error('npm was not found: put it on PATH, or start this by `npm run`.');
}
