import * as z from 'zod';
import * as args from '../arguments.ts';

/** UTF-16 units of a name path: a longer one is no symbol, and too large a regular expression. */
const LONGEST = 1_000;

/** How every tool names a symbol. Five tools repeat this, so it has few words. */
export const symbolArguments = {
  symbol: z
    .string()
    .min(1)
    .max(LONGEST)
    .optional()
    .describe('"Class/method", "method[2]", or a name on the line'),
  path: z.string().min(1).optional(),
  line: args.line.optional(),
  column: z.int().min(1).optional(),
};
