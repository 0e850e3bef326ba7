import assert from 'node:assert/strict';

const { elsewhere } = await import('../../../../src/ui/http/httpService.ts');

describe('ui/http/httpService: the client of a folder', () => {
  const windowWith = (name: string, httpPort?: number) => ({
    workspaceFolders: [{ uri: `file:///${name}`, name }],
    ...(httpPort !== undefined && { httpPort }),
  });

  it('is served where the folder is, and else sent to the window that has it', () => {
    assert.equal(elsewhere('app', ['lib', 'app'], []), undefined);
    const windows = [windowWith('a b'), windowWith('other', 1), windowWith('a b', 8123)];
    assert.match(elsewhere('a b', ['app'], windows) ?? '', /http:\/\/127\.0\.0\.1:8123\/w\/a%20b\/mcp\.$/);
  });

  it('is told if no window that serves HTTP has it', () =>
    assert.match(
      elsewhere('lib', ['app'], [windowWith('lib')]) ?? '',
      /^No window with HTTP has a folder "lib"/,
    ));
});
