/** What agents do with tools of their own, as their hooks tell it, turn by turn; and what the user sends to them. */
import { openWindow } from '../caseWindow.ts';
import './ownWrites.test.ts';
import './sendToAgent.test.ts';
import './ownWritesKept.test.ts';

openWindow();
