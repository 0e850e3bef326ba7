import assert from 'node:assert/strict';
import type { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { queueInCodex } from '../../../src/services/codexQueue.ts';
import { makeTemporary, removeTemporary } from '../../temporary.ts';

describe('services/codexQueue', () => {
  const { PATH } = process.env;
  let folder: string;
  beforeEach(() => {
    folder = makeTemporary();
    writeFileSync(join(folder, 'codex.cmd'), '');
    Object.assign(process.env, { PATH: `${folder}${delimiter}${PATH}` });
  });
  afterEach(() => {
    Object.assign(process.env, { PATH });
    removeTemporary(folder);
  });

  it('gives Codex a text in the directory of the session, and rejects what it refuses', async () => {
    let error: Error | null = null;
    const started: unknown[] = [];
    const run = (file: string, args: string[], { cwd }: { cwd: string }, done: (error: unknown) => void) => {
      started.push([file, args, cwd]);
      done(error);
    };
    const queue = () => queueInCodex('s', folder, 'one\ntwo', run as unknown as typeof execFile);
    await queue();
    if (process.platform === 'win32') assert.match(JSON.stringify(started), /cmd\.exe.*codex\.cmd.*one two/);
    else assert.deepEqual(started, [['codex', ['queue', '--thread', 's', '--message', 'one\ntwo'], folder]]);
    error = new Error('No active session');
    await assert.rejects(queue(), error);
  });
});
