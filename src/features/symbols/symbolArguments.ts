import * as z from 'zod';
import * as args from '../arguments.ts';

/** How every tool names a symbol. Five tools repeat this, so it has few words. */
export const symbolArguments = {
  symbol: z.string().min(1).optional().describe('"Class/method", "method[2]", or a name on the line'),
  path: z.string().min(1).optional(),
  line: args.line.optional(),
  column: z.int().min(1).optional(),
};
