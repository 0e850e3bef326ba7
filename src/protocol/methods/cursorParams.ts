import * as z from 'zod';

/** Params of the list methods. */
export const cursorParams = z.object({ cursor: z.string().optional() });
