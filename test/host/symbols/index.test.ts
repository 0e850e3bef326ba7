/** The tools that ask language servers, and the documented examples, in the sample project. */
import { saveNothingByItself } from '../inside.ts';
import './documented.test.ts';
import './lsp.test.ts';
import './symbolEdits.test.ts';

before(saveNothingByItself);
