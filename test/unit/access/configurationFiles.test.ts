import assert from 'node:assert/strict';
import { configuresTools } from '../../../src/access/configurationFiles.ts';

describe('access/guarded', () => {
  for (const path of [
    '/w/.vscode/settings.json',
    '/w/packages/a/.vscode/tasks.json',
    '/w/a.code-workspace',
    '/w/.devcontainer/devcontainer.json',
    '/w/.devcontainer.json',
    '/w/.mcp.json',
    '/w/.claude/settings.local.json',
    '/w/.Cursor/mcp.json',
    '/w/.zed/settings.json',
    '/w/.kiro/settings/mcp.json',
    '/w/sub/mcp.json',
    '/w/.newtool/settings.local.json',
    '/w/.clinerules',
    '/w/.aider.conf.yml',
    '/w/.cursorrules',
    'C:\\w\\.vscode\\launch.json',
  ]) {
    it(`${path} is asked for each time`, () => assert.ok(configuresTools(path)));
  }

  for (const path of [
    '/w/src/vscode/a.ts',
    '/w/settings.json',
    '/w/src/.hidden/a.json',
    '/w/mcp.json.ts',
    '/w/.vscode-test/a',
    '/w/tsconfig.json',
    '/w/a.code-workspace.md',
  ]) {
    it(`${path} is not`, () => assert.ok(!configuresTools(path)));
  }
});
