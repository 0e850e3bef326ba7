/** Edits in a real VS Code, and the text of prompts, which editors insert. */
import { saveNothingByItself } from '../inside.ts';
import './files.test.ts';
import './hazards.test.ts';
import './notebooks.test.ts';
import './patch.test.ts';
import './prompts.test.ts';
import './symbolEdits.test.ts';
import './turns.test.ts';

before(saveNothingByItself);
