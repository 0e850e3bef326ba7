/** Stands in for mysql2 on machines without MySQL: the calls of mysql-mcp.js, on a database in memory. Needs Node 22.18. */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const users = readFileSync(new URL('../../users.sql', import.meta.url), 'utf8');

export function createPool() {
  const database = new DatabaseSync(':memory:');
  database.exec(users);
  return { query: async (sql: string) => [database.prepare(sql).all()], end: async () => database.close() };
}
