/** Runs the edits of `test/languages`, then the case `languages`, for some languages or for all: `node test/host/languages/run.ts [LANGUAGE…]`. */
import { editSymbols } from '../../languages/edits/run.ts';
import { LANGUAGES_VARIABLE, serversOf } from './servers.ts';

const languages = process.argv.splice(2, Number.POSITIVE_INFINITY, 'languages');
try {
  serversOf(languages);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
if (!(await editSymbols(languages))) process.exit(1);
process.env[LANGUAGES_VARIABLE] = languages.join(',');
await import('../run.ts');
