import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeProject } from '../../../src/agents/places.ts';
import { realPathOf } from '../../../src/util/diskPaths.ts';
import { makeTemporary, removeTemporary } from '../../temporary.ts';

describe("agents/places: Claude Code's project of a folder", () => {
  const root = realPathOf(makeTemporary());
  after(() => removeTemporary(root));
  const at = (...names: string[]) => join(root, ...names);
  const name = (...names: string[]) => at(...names).replaceAll('\\', '/');
  mkdirSync(at('plain'));
  mkdirSync(at('main', 'sub'), { recursive: true });
  mkdirSync(at('main', '.git', 'worktrees', 'other'), { recursive: true });
  writeFileSync(at('main', '.git', 'worktrees', 'other', 'commondir'), '../..\n');
  mkdirSync(at('other', 'sub'), { recursive: true });
  writeFileSync(at('other', '.git'), `gitdir: ${at('main', '.git', 'worktrees', 'other')}\n`);
  mkdirSync(at('main', 'module'));
  writeFileSync(at('main', 'module', '.git'), 'gitdir: ../.git/modules/module\n');

  for (const [what, folder, project] of [
    ['is the folder itself where there is no Git', ['plain'], ['plain']],
    ['is the root of a repository', ['main', 'sub'], ['main']],
    ['is the main one of a worktree', ['other', 'sub'], ['main']],
    ['is that of a submodule', ['main', 'module'], ['main', 'module']],
  ] as const) {
    it(what, () => assert.equal(claudeProject(at(...folder)), name(...project)));
  }
});
