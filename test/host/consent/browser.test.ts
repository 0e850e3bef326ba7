/** What agents ask of a person, and the review of what they have changed. */
import { openWindow } from '../caseWindow.ts';
import { EMPTY_WINDOW } from '../headless/host.ts';
import './review.test.ts';
import './asking.test.ts';
import './questions.test.ts';

openWindow({ settings: { ...EMPTY_WINDOW, 'files.autoSave': 'off' } });
