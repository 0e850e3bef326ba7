// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables
import assert from 'node:assert/strict';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inFile, type StdioLaunch } from '../../../../../src/hosting/config/definition.ts';
import { filesNamedBy } from '../../../../../src/hosting/config/resolve/namedFiles.ts';
import { rowsOf } from '../../../core/rowsOf.ts';
import { english } from '../../english.ts';

const WS = resolve('/ws');

/** A text with absolute paths, which on Windows have a drive. */
const here = (text: string): string =>
  text
    .replaceAll(/(?<=^|[ "=:,])(file:\/\/)?\/(?=(ws|home)\b)/g, (_, scheme) =>
      scheme ? pathToFileURL('/').href : resolve('/').replace('\\', '/'),
    )
    .replaceAll(':/usr', `${delimiter}/usr`);

const namedBy = (launch: object): string[] =>
  filesNamedBy(inFile.stdio.parse(launch) as StdioLaunch, 'mcp.json', {
    folder: { name: 'ws', path: WS },
    folders: [{ name: 'ws', path: WS }],
    home: resolve('/home/me'),
    directory: WS,
    env: { TOOLS: join(WS, 'tools') },
    platform: process.platform,
    inputs: new Map([['token', '']]),
    l10n: english,
  });

describe('hosting/config/resolve/namedFiles', () => {
  for (const [name = '', line = '', named = '', more = '{}'] of rowsOf(`
an argument │ node $WS/server.mjs │ /ws/server.mjs
a relative one │ node lib/server.mjs │ /ws/lib/server.mjs
one in its directory │ node a.mjs │ /ws/sub/a.mjs │ {"cwd":"$WS/sub"}
the program │ \${env:TOOLS}/run.sh │ /ws/tools/run.sh
one without its ending │ node ./server │ /ws/server.js /ws/server/index.js
a module of Python │ python -m my.mcp │ /ws/my/mcp.py /ws/my/mcp/__main__.py
words of a script │ bash -c|T=\${input:token} node "lib/a.mjs" && ./b.sh │ /ws/lib/a.mjs /ws/b.sh
values of options │ uv run --script=x.py │ /ws/x.py
addresses of files │ node --import file:///ws/x.mjs y │ /ws/x.mjs
the environment │ x │ /ws/x.cjs │ {"env":{"NODE_OPTIONS":"--require ./x.cjs"}}
the env file │ x │ /ws/vars.txt │ {"envFile":"$WS/vars.txt"}
a file in the home directory │ ~/bin/x │ /home/me/bin/x
a file of a folder that it names │ uv --directory /ws/weather run weather.py │ /ws/weather/weather.py
a folder with a module │ uv run --directory=pm -m srv │ /ws/pm/srv.py
a folder that a script enters │ sh -c|cd sh && exec node srv.mjs │ /ws/sh/srv.mjs
a folder with a program │ go run -C gosrv . │ /ws/gosrv/main.go
an ending that a runner adds │ npx tsx tool/server │ /ws/tool/server.ts
a module behind its option │ python3 -mpkg.server │ /ws/pkg/server.py
a file behind its option │ node -r./hook.js x.js │ /ws/hook.js
a mounted folder │ docker run -v /ws/dk:/app node /app/dk.js │ /ws/dk/dk.js
a package of a folder │ uvx --from uvpkg thing │ /ws/uvpkg/thing.py
the program in its PATH │ mysrv │ /ws/tools/mysrv │ {"env":{"PATH":"/ws/tools:/usr/bin"}}
a variable of a shell │ bash -c|node $PWD/server.js │ /ws/server.js
a file of options │ java @opts.txt │ /ws/opts.txt`))
    it(`finds ${name}`, () => {
      const inWorkspace = (text: string) => here(text).replaceAll('$WS', '${workspaceFolder}');
      const [words = '', ...script] = inWorkspace(line).split('|');
      const [command, ...args] = [...words.split(' '), ...script];
      const found = namedBy({ command, args, ...JSON.parse(inWorkspace(more)) });
      for (const file of named.split(' ')) assert.ok(found.includes(resolve(file)), file);
    });

  it('takes folders that a fetched program gets for data', () => {
    const named = namedBy({ command: 'npx', args: ['-y', 'server-filesystem', '${workspaceFolder}'] });
    assert.ok(!named.includes(join(WS, 'index.js')));
    assert.ok(named.includes(WS));
  });

  it('takes what follows the program, and plain values, for data', () => {
    const args = ['server.js', '--root', '${workspaceFolder}', '--docs', 'docs', 'src'];
    const named = namedBy({ command: 'node', args, env: { DB_NAME: 'app', LOG_LEVEL: 'debug' } });
    for (const path of ['/ws/index.ts', '/ws/src/index.ts', '/ws/app', '/ws/debug'])
      assert.ok(!named.includes(resolve(path)), path);
    const git = namedBy({ command: 'python', args: ['-m', 'mcp_server_git', '--repository', WS] });
    assert.ok(!git.includes(join(WS, 'main.py')));
  });

  it('has an end', () => {
    const countOf = (length: number) =>
      namedBy({ command: 'node', args: Array.from({ length }, (_, index) => `a${index}/b`) }).length;
    assert.equal(countOf(400), countOf(200));
  });

  it('leaves out what has no value', () =>
    assert.ok(
      !namedBy({ command: 'node', args: ['${workspaceFolder:other}/x.js'] }).includes(join(WS, 'x.js')),
    ));
});
