/** The server of seed 004 on an embedded database; `npm run test:mysql` runs it on a real one. */
import { fileURLToPath } from 'node:url';
import { describeExchange } from '../../mysql/seed.ts';

describe('wire/hosting/mysql', () => {
  const modules = fileURLToPath(new URL('../../mysql/embedded', import.meta.url));
  describeExchange(async () => ({ modules, env: {} }));
});
