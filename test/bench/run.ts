/**
 * `npm run bench`: measures the way from an agent to the server, beside the same server without it, and the packaged
 * extension in a real VS Code, beside a bare echo on the same way and beside a file server that agents know, all in one
 * run; what the list of 100,000 files and 5,000 snippets cost, and what hosting another server does; on a real code base,
 * what the tools take longer than VS Code's own commands, how many bytes they save, how true they are in several projects, and how it all grows; what
 * hooks and the LSP server cost; and how many functions a call enters. Prints thirteen tables; nothing is asserted. docs/performance.md has the last ones.
 * `npm run bench -- way`, `window`, `hosting`, `files`, `prompts`, `language`, `run`, `hooks`, `lsp`, `scale`, `economy`, `truth` and `trace`
 * measure one of them.
 * A busy machine is refused, unless `--anyway` follows.
 */
import { loadavg } from 'node:os';
import { closeAll } from '../host/cleanup.ts';
import { economyTable } from './economy/figures.ts';
import { allFigures } from './figures.ts';
import { fileFigures } from './files/figures.ts';
import { hookFigures } from './hooks/figures.ts';
import { hostingFigures } from './hosting/figures.ts';
import { languageFigures } from './language/figures.ts';
import { lspFigures } from './lsp/figures.ts';
import { PEER_VERSION } from './peer.ts';
import { inScratch } from './places.ts';
import { promptFigures } from './prompts/figures.ts';
import { runFigures } from './run/figures.ts';
import { scaleTable } from './scale/figures.ts';
import { stage } from './stage.ts';
import { LANGUAGE_COLUMNS, type Row, SDK_COLUMNS, table, WAY_COLUMNS } from './table.ts';
import { traceTable } from './trace/figures.ts';
import { truthTable } from './truth/figures.ts';
import { wayFigures } from './way/figures.ts';
import { openWindow } from './window.ts';
import { writeWorkspace } from './workspace.ts';

/** The load (of one minute) above which a table says more of the machine than of us. */
const MOST_BUSY = 1.5;

/** Milliseconds after which something hangs: it takes thirty-five minutes. */
const TIMEOUT = 60 * 60_000;

const PARTS: Record<string, (options: readonly string[]) => Promise<string>> = {
  way: async () => table(await wayFigures(), WAY_COLUMNS),
  window: async () => table(await windowFigures(), SDK_COLUMNS),
  hosting: async () => table(await hostingFigures(), SDK_COLUMNS),
  files: async () => table(await fileFigures()),
  prompts: async () => table(await promptFigures()),
  language: async () => table(await languageFigures(), LANGUAGE_COLUMNS),
  run: async () => table(await runFigures()),
  hooks: async () => table(await hookFigures()),
  lsp: async () => table(await lspFigures()),
  scale: scaleTable,
  economy: economyTable,
  truth: truthTable,
  trace: traceTable,
};

/** @param part of `PARTS`, for that alone */
async function main(part: string | undefined, options: readonly string[], isAnyway: boolean): Promise<void> {
  const started = performance.now();
  const [busy = 0] = loadavg();
  if (busy > MOST_BUSY && !isAnyway)
    throw new Error(
      `The machine is busy (load ${busy.toFixed(1)}), so its table is not for the docs. Pass --anyway for one all the same.`,
    );
  for (const [one, makeTable] of Object.entries(PARTS))
    if (part === undefined || part === one) console.log(`${await makeTable(options)}\n`);
  const seconds = Math.round((performance.now() - started) / 1000);
  const load = loadavg()[0]?.toFixed(1);
  console.log(
    `peer: @modelcontextprotocol/server-filesystem ${PEER_VERSION}. Measured in ${seconds} s with a load of ${load}.`,
  );
}

const windowFigures = (): Promise<Row[]> =>
  inScratch(async (at) => {
    stage('opening the window');
    for (const name of ['workspace', 'peer']) writeWorkspace(at(name));
    const window = await openWindow(at, at('peer'));
    const rows = await allFigures(window);
    await window.close();
    return rows;
  });

const late = Promise.withResolvers<never>();
setTimeout(() => late.reject(new Error(`It took longer than ${TIMEOUT / 60_000} minutes.`)), TIMEOUT);
try {
  const [part, ...options] = process.argv.slice(2).filter((one) => one !== '--anyway');
  await Promise.race([main(part, options, process.argv.includes('--anyway')), late.promise]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
await closeAll();
process.exit();
