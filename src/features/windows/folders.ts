import * as z from 'zod';

export const folders = z.array(
  z.object({ name: z.string(), path: z.string().describe('Absolute path, or a URI') }),
);
