import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { rootsAnswer } from '../../../../src/hosting/answers/roots.ts';

const folder = (uri: string, name: string) => {
  const { protocol, pathname } = new URL(uri);
  const fsPath = decodeURIComponent(pathname);
  return { name, uri: { scheme: protocol.slice(0, -1), fsPath, toString: () => uri } };
};

describe('hosting/answers/roots', () => {
  const workspaceFolders = [
    folder('file:///w/my%20app', 'app'),
    folder('file:///w/lib', 'lib'),
    folder('git:/w/virtual', 'virtual'),
  ] as unknown as vscode.WorkspaceFolder[];
  const roots = (only?: string[]) =>
    rootsAnswer({ workspaceFolders }, only, 'linux')({}, new AbortController().signal);
  const app = { uri: 'file:///w/my%20app', name: 'app' };
  const lib = { uri: 'file:///w/lib', name: 'lib' };

  it('has the folders on disk', async () => {
    assert.deepEqual(await roots(), { roots: [app, lib] });
    const empty = rootsAnswer({ workspaceFolders: undefined });
    assert.deepEqual(await empty({}, new AbortController().signal), { roots: [] });
  });

  it('is narrowed, and never widened', async () => {
    assert.deepEqual(await roots(['/w/lib', '/etc']), { roots: [lib] });
    assert.deepEqual(await roots(['/w']), { roots: [app, lib] });
    assert.deepEqual(await roots(['/w/my app/src']), {
      roots: [{ uri: 'file:///w/my%20app/src', name: 'app' }],
    });
    assert.deepEqual(await roots([]), { roots: [] });
  });
});
