import assert from 'node:assert/strict';
import type { StdioLaunch } from '../../../../../src/hosting/config/definition.ts';
import { inFile } from '../../../../../src/hosting/config/definition.ts';
import { namedFiles } from '../../../../../src/hosting/config/resolve/namedFiles.ts';
import { english } from '../../english.ts';

const WS = '/ws';

const namedBy = (launch: object): string[] =>
  namedFiles(
    inFile.stdio.parse(launch) as StdioLaunch,
    'mcp.json',
    {
      folder: { name: 'ws', path: WS },
      folders: [{ name: 'ws', path: WS }],
      home: '/home/me',
      directory: WS,
      env: { TOOLS: '/ws/tools' },
      platform: 'linux',
      inputs: new Map([['token', '']]),
    },
    english,
  );

describe('hosting/config/resolve/namedFiles', () => {
  const cases: [name: string, launch: object, files: string[]][] = [
    ['an argument', { command: 'node', args: [`\${workspaceFolder}/server.mjs`] }, ['/ws/server.mjs']],
    ['a relative one', { command: 'node', args: ['lib/server.mjs'] }, ['/ws/lib/server.mjs']],
    [
      'one in its directory',
      { command: 'node', args: ['a.mjs'], cwd: `\${workspaceFolder}/sub` },
      ['/ws/sub/a.mjs'],
    ],
    ['the program', { command: `\${env:TOOLS}/run.sh` }, ['/ws/tools/run.sh']],
    [
      'one without its ending',
      { command: 'node', args: ['./server'] },
      ['/ws/server.js', '/ws/server/index.js'],
    ],
    [
      'a module of Python',
      { command: 'python', args: ['-m', 'my.mcp'] },
      ['/ws/my/mcp.py', '/ws/my/mcp/__main__.py'],
    ],
    [
      'words of a script',
      { command: 'bash', args: ['-c', `T=\${input:token} node "lib/a.mjs" && ./b.sh`] },
      ['/ws/lib/a.mjs', '/ws/b.sh'],
    ],
    ['values of options', { command: 'uv', args: ['run', '--script=x.py'] }, ['/ws/x.py']],
    ['addresses of files', { command: 'node', args: ['--import', 'file:///ws/x.mjs', 'y'] }, ['/ws/x.mjs']],
    ['the environment', { command: 'x', env: { NODE_OPTIONS: '--require ./x.cjs' } }, ['/ws/x.cjs']],
    ['the env file', { command: 'x', envFile: `\${workspaceFolder}/vars.txt` }, ['/ws/vars.txt']],
    ['a file in the home directory', { command: '~/bin/x' }, ['/home/me/bin/x']],
    [
      'a file of a folder that it names',
      { command: 'uv', args: ['--directory', `\${workspaceFolder}/weather`, 'run', 'weather.py'] },
      ['/ws/weather/weather.py'],
    ],
    [
      'a folder with a module',
      { command: 'uv', args: ['run', '--directory=pm', '-m', 'srv'] },
      ['/ws/pm/srv.py'],
    ],
    [
      'a folder that a script enters',
      { command: 'sh', args: ['-c', 'cd sh && exec node srv.mjs'] },
      ['/ws/sh/srv.mjs'],
    ],
    ['a folder with a program', { command: 'go', args: ['run', '-C', 'gosrv', '.'] }, ['/ws/gosrv/main.go']],
    [
      'an ending that a runner adds',
      { command: 'npx', args: ['tsx', 'tool/server'] },
      ['/ws/tool/server.ts'],
    ],
    ['a module behind its option', { command: 'python3', args: ['-mpkg.server'] }, ['/ws/pkg/server.py']],
    ['a file behind its option', { command: 'node', args: ['-r./hook.js', 'x.js'] }, ['/ws/hook.js']],
    [
      'a mounted folder',
      { command: 'docker', args: ['run', '-v', '/ws/dk:/app', 'node', '/app/dk.js'] },
      ['/ws/dk/dk.js'],
    ],
    ['a package of a folder', { command: 'uvx', args: ['--from', 'uvpkg', 'thing'] }, ['/ws/uvpkg/thing.py']],
    [
      'the program in its PATH',
      { command: 'mysrv', env: { PATH: '/ws/tools:/usr/bin' } },
      ['/ws/tools/mysrv'],
    ],
    ['a variable of a shell', { command: 'bash', args: ['-c', 'node $PWD/server.js'] }, ['/ws/server.js']],
    ['a file of options', { command: 'java', args: ['@opts.txt'] }, ['/ws/opts.txt']],
  ];
  for (const [name, launch, files] of cases)
    it(`finds ${name}`, () => {
      const named = namedBy(launch);
      for (const file of files) assert.ok(named.includes(file), file);
    });

  it('takes folders that a fetched program gets for data', () => {
    const named = namedBy({ command: 'npx', args: ['-y', 'server-filesystem', `\${workspaceFolder}`] });
    assert.ok(!named.includes('/ws/index.js'));
    assert.ok(named.includes('/ws'));
  });

  it('takes what follows the program, and plain values, for data', () => {
    const args = ['server.js', '--root', `\${workspaceFolder}`, '--docs', 'docs', 'src'];
    const named = namedBy({ command: 'node', args, env: { DB_NAME: 'app', LOG_LEVEL: 'debug' } });
    for (const path of ['/ws/index.ts', '/ws/src/index.ts', '/ws/app', '/ws/debug'])
      assert.ok(!named.includes(path), path);
    const git = namedBy({ command: 'python', args: ['-m', 'mcp_server_git', '--repository', WS] });
    assert.ok(!git.includes('/ws/main.py'));
  });

  it('has an end', () => {
    const args = Array.from({ length: 60_000 }, (_, index) => `a${index}/b`);
    assert.ok(namedBy({ command: 'node', args }).length < 50_000);
  });

  it('leaves out what has no value', () => {
    assert.ok(!namedBy({ command: 'node', args: [`\${workspaceFolder:other}/x.js`] }).includes('/ws/x.js'));
  });
});
