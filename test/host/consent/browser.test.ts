/** What agents ask of a person. */
import { openWindow } from '../caseWindow.ts';
import './asking.test.ts';
import './questions.test.ts';

openWindow({ settings: { 'diffEditor.codeLens': true } });
