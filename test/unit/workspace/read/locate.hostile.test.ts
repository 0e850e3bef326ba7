/** Hostile spellings of closed paths, at the gate that all tools, resources and prompts go through (test/rules/imports.test.ts). */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { UserError } from '../../../../src/core/errors.ts';
import { inside } from '../../../../src/core/paths.ts';
import { cleanUp, folderWith, openWindow } from '../openWindow.ts';
import type { Target } from './hostile/spellings.ts';
import {
  CANARY,
  closedInside,
  NEVER,
  nameless,
  OPEN,
  outside,
  plantHostile,
  SECRET,
  spelled,
  THERE,
  USER,
} from './hostile/tree.ts';

describe('workspace/read/locate: hostile paths', () => {
  afterEach(cleanUp);

  it('lead to nothing that is closed, tell no names, and nothing of what is there outside', async () => {
    const root = folderWith();
    plantHostile(root);
    const ws = join(root, 'ws');
    const { files } = openWindow({ folders: [ws], user: USER });
    /** What is located, from the folder on, or why nothing is. */
    const answer = (path: string): Promise<string> =>
      files.locate(path).then(
        ({ realPath, uri }) =>
          `located ${(realPath && inside(realPath, ws, process.platform)) ?? uri.toString()}`,
        (error) => {
          assert.ok(error instanceof UserError, `${JSON.stringify(path)}: ${error.stack}`);
          return error.message;
        },
      );
    const open = ['', ...OPEN].map((path) => `located ${path}`);
    const answers = async (targets: Target[]) => {
      const all = spelled(targets).map(async (path) => [path, await answer(path)] as const);
      for (const [path, said] of await Promise.all(all)) {
        assert.ok(!said.startsWith('located') || open.includes(said), `${JSON.stringify(path)}: ${said}`);
        assert.ok(!said.includes(CANARY) && !said.includes(SECRET), said);
      }
      return Promise.all(all);
    };
    const closed = await answers(closedInside(ws));
    assert.ok(closed.length > 800, `${closed.length}`);
    const never = await answers(outside(ws, NEVER));
    for (const [index, [path, said]] of (await answers(outside(ws, THERE))).entries())
      assert.equal(nameless(said), nameless(never[index]?.[1] ?? ''), JSON.stringify(path));
  });
});
