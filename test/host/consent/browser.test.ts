/** What agents ask of a person, and the review of what they have changed. */
import { openWindow } from '../caseWindow.ts';
import './review.test.ts';
import './asking.test.ts';
import './questions.test.ts';

openWindow();
