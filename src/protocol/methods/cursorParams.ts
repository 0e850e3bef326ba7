import * as z from 'zod';

/** Params of every method that lists. */
export const cursorParams = z.object({ cursor: z.string().optional() });
