/** Hostile spellings of closed paths, at the gate that all tools, resources and prompts go through (test/rules/imports.test.ts). */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { UserError } from '../../../../src/core/errors.ts';
import type { Files } from '../../../../src/workspace/files.ts';
import { itWithLinks } from '../../../temporary.ts';
import { cleanUp, folderWith, openWindow } from '../openWindow.ts';
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
  let ws: string;
  let files: Files;

  beforeEach(() => {
    const root = folderWith();
    plantHostile(root);
    ws = join(root, 'ws');
    ({ files } = openWindow({ folders: [ws], user: USER }));
  });
  afterEach(cleanUp);

  /** What is located, from the folder on, or why nothing is. */
  const answer = (path: string): Promise<string> =>
    files.locate(path).then(
      ({ realPath, uri }) => `located ${(realPath ?? uri.toString()).replace(ws, '')}`,
      (error) => {
        assert.ok(error instanceof UserError, `${JSON.stringify(path)}: ${error.stack}`);
        return error.message;
      },
    );

  itWithLinks('lead to nothing that is closed, and tell no names', async () => {
    const paths = [...new Set(spelled([...closedInside(ws), ...outside(ws, THERE)]))];
    assert.ok(paths.length > 1500, `${paths.length}`);
    const open = ['', ...OPEN.map((path) => `/${path}`)].map((path) => `located ${path}`);
    for (const path of paths) {
      const said = await answer(path);
      assert.ok(!said.startsWith('located') || open.includes(said), `${JSON.stringify(path)}: ${said}`);
      assert.ok(!said.includes(CANARY) && !said.includes(SECRET), said);
    }
  });

  itWithLinks('tell what is there outside from what is not by nothing', async () => {
    const never = spelled(outside(ws, NEVER));
    for (const [index, path] of spelled(outside(ws, THERE)).entries()) {
      const [one, other] = [await answer(path), await answer(never[index] ?? '')];
      assert.equal(nameless(one), nameless(other), JSON.stringify(path));
    }
  });
});
