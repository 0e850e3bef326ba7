import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { openValue } from '../../../src/features/settingFiles.ts';
import { Uri } from '../../fakes/values.ts';
import { itWithLinks } from '../../temporary.ts';
import { cleanUp, openWindow } from './window.ts';

const NAME = 'launch.configurations';

describe('features/settingFiles: a value that the agent may know', () => {
  afterEach(cleanUp);

  /** What is told in a window with a workspace file, in which each level has its own value. */
  function told(...deniedPaths: string[]): unknown {
    const { ctx } = openWindow(
      { 'a.txt': '' },
      {
        workspaceFile: Uri.file('/elsewhere/own.code-workspace'),
        user: { [NAME]: ['user'], 'workspaceMcp.access.deniedPaths': deniedPaths },
        workspace: { [NAME]: ['workspace'] },
        folder: { [NAME]: ['folder'] },
      },
    );
    return openValue(NAME, ctx.files.folders()[0], ctx);
  }

  it('is that of the strongest level whose file is open', () => {
    assert.deepEqual(told(), ['folder']);
    assert.deepEqual(told('.vscode/launch.json'), ['workspace']);
    assert.deepEqual(told('launch.json', '/elsewhere/**'), ['user']);
  });

  itWithLinks('is not one of a link that leads to a closed file', () => {
    const { ctx, path } = openWindow(
      { 'closed/own.json': '{}', '.vscode/settings.json': '{}' },
      { user: { 'workspaceMcp.access.deniedPaths': ['closed/'] }, folder: { [NAME]: ['folder'] } },
    );
    symlinkSync(path('closed/own.json'), path('.vscode/launch.json'));
    assert.equal(openValue(NAME, ctx.files.folders()[0], ctx), undefined);
  });

  it('is none if there is none', () => {
    const { ctx } = openWindow();
    assert.equal(openValue(NAME, undefined, ctx), undefined);
  });
});
