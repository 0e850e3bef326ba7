/** The review of what agents have changed: marks, keeping, reverts, moves. */
import { openWindow } from '../caseWindow.ts';
import './review.test.ts';
import './keep.test.ts';
import './moves.test.ts';

openWindow();
