import type { Domain } from '../features.ts';
import { debugBreakpoints } from './debugBreakpoints.ts';
import { debugControl } from './debugControl.ts';
import { debugEvaluate } from './debugEvaluate.ts';
import { debugStart } from './debugStart.ts';
import { debugState } from './debugState.ts';

export const debug: Domain = {
  tools: [debugStart, debugBreakpoints, debugControl, debugEvaluate, debugState],
};
