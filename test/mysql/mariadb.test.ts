/** The server of seed 004 on a real MariaDB: `npm run test:mysql`. */
import { dirname } from 'node:path';
import { ensurePackage } from '../packages.ts';
import { type MariaDb, startMariaDb } from './mariadb.ts';
import { describeExchange } from './seed.ts';

describe('MariaDB', () => {
  let running: MariaDb | undefined;
  after(() => running?.stop());

  describeExchange(async () => {
    running ??= await startMariaDb();
    return { modules: dirname(await ensurePackage('mysql2', '3.24.6')), env: running.env };
  });
});
