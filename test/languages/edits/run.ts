/**
 * Edits every symbol of real sources by `edit_symbol`'s own steps, with the symbols of real servers, and has the language's own parser
 * look at the result: `node test/languages/edits/run.ts [LANGUAGE…]`. Fails if an edit breaks a text.
 */
import { ensureServer, missingFor, serversOf } from '../../host/languages/servers.ts';
import { check, type Result } from './check.ts';
import { SOURCES } from './languages.ts';

const MOST_SHOWN = 30;
/** The most edits that may be refused, of all: more would say that edits are refused which are right. */
const MOST_REFUSED = 0.5;

export async function editSymbols(languages: readonly string[]): Promise<boolean> {
  let isRight = true;
  for (const server of serversOf(languages)) {
    const missing = missingFor(server);
    if (missing.length > 0) {
      console.log(
        `Edits of ${server.language}: not tried, because ${missing.join(', ')} cannot be installed.`,
      );
      continue;
    }
    const command = await ensureServer(server);
    for (const sources of (await SOURCES[server.language]?.()) ?? [])
      if (!told(await check(command, sources))) isRight = false;
  }
  return isRight;
}

function told({ language, symbols, counts, broken, refusals }: Result): boolean {
  console.log(`Edits of ${language}: ${symbols} symbols`);
  console.table(counts);
  for (const [why, { count, example }] of [...refusals]
    .sort((a, b) => b[1].count - a[1].count)
    .slice(0, MOST_SHOWN))
    console.log(`${String(count).padStart(6)} refused: ${why}\n         ${example}`);
  for (const one of broken.slice(0, MOST_SHOWN)) console.log(`broken: ${one}`);
  const all = Object.values(counts);
  const refused = all.reduce((sum, one) => sum + one.refused, 0);
  const total = all.reduce((sum, one) => sum + one.refused + one.right + one.broken, 0);
  return symbols > 0 && broken.length === 0 && refused <= total * MOST_REFUSED;
}

if (import.meta.main) process.exitCode = (await editSymbols(process.argv.slice(2))) ? 0 : 1;
