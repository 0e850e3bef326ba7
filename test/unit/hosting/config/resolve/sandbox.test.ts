// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of definitions
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fieldsOf } from '../../../../../src/core/json.ts';
import { NPM, sandboxSettings } from '../../../../../src/hosting/config/resolve/sandbox.ts';
import { useDirectory } from '../../../../temporary.ts';
import { definition, cleanUp as endServers, openHosting } from '../../openHosting.ts';

const PROGRAMS = { linux: ['bwrap', 'socat'], darwin: ['sandbox-exec'] };

/** What the sandbox does, without its walls: tells what it was given, and runs it in a shell. */
const RUNTIME = `
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
const [, , , settings, , ...words] = process.argv;
const seen = { file: settings, settings: JSON.parse(readFileSync(settings, 'utf8')), words };
writeFileSync(new URL('../../seen.json', import.meta.url), JSON.stringify(seen));
spawn(words.join(' '), { shell: true, stdio: 'inherit' }).on('exit', process.exit);
`;

describe('hosting/config/resolve/sandbox', () => {
  const directory = useDirectory();
  const path = process.env.PATH;
  const own = `${process.platform}-${process.arch}`;
  const programs = PROGRAMS[process.platform as keyof typeof PROGRAMS];

  afterEach(async () => {
    process.env.PATH = path;
    await endServers();
  });

  function write(...[name, text = '']: [name: string, text?: string]): void {
    const file = join(directory.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** A window on a machine that has all for the sandbox, with a server that asks for it. */
  async function open() {
    write('node_modules/@vscode/sandbox-runtime/package.json', '{"type":"module"}');
    write('node_modules/@vscode/sandbox-runtime/dist/cli.js', RUNTIME);
    write(`node_modules/@vscode/ripgrep-universal/bin/${own}/rg`);
    for (const name of programs) write(`bin/${name}`);
    process.env.PATH = [join(directory.path, 'bin'), path].join(':');
    const opened = await openHosting({});
    Object.assign(opened.fake.api.env, { appRoot: directory.path });
    const sandbox = { filesystem: { allowWrite: ['${workspaceFolder}/out'] }, network: {} };
    const spaced = join(directory.path, "it's node");
    symlinkSync(process.execPath, spaced);
    const wanted = { ...definition('faulty'), command: spaced, cwd: '${workspaceFolder}' };
    await opened.sets({ faulty: { ...wanted, sandboxEnabled: true, sandbox } });
    const [server] = opened.hosting.servers;
    assert.ok(server);
    return { ...opened, server };
  }

  if (!programs) return;

  it('has VS Code run the server with what its definition allows, and leaves nothing behind', async () => {
    const { server, folder } = await open();
    assert.deepEqual((await server.look()).sandboxLacks, []);
    await server.trust();
    await server.processes.read();
    assert.ok(server.catalogue?.tools.length);
    const seen = JSON.parse(readFileSync(join(directory.path, 'node_modules/@vscode/seen.json'), 'utf8'));
    assert.deepEqual(seen.settings, {
      network: { allowedDomains: [NPM], deniedDomains: [] },
      filesystem: { allowWrite: [join(folder, 'out'), '~/.npm', folder], denyRead: [], denyWrite: [] },
    });
    assert.ok(!existsSync(seen.file));
  });

  it('opens no directory to writing that has the home directory in it, also behind a link', () => {
    const home = join(directory.path, 'home');
    const link = join(directory.path, 'link');
    mkdirSync(join(home, 'app'), { recursive: true });
    symlinkSync(home, link);
    const launch = { type: 'stdio' as const, command: '', args: [], env: {} };
    const opened = (cwd: string, own = home): unknown =>
      fieldsOf(fieldsOf(sandboxSettings(launch, cwd, (_, text) => text, own)).filesystem).allowWrite;
    for (const cwd of ['/', directory.path, home, `${home}/`, link]) {
      assert.deepEqual(opened(cwd), ['~/.npm'], cwd);
      assert.deepEqual(opened(cwd, link), ['~/.npm'], cwd);
    }
    assert.deepEqual(opened(join(home, 'app')), ['~/.npm', join(home, 'app')]);
  });

  it('asks again before the server runs without the sandbox that the user approved it with', async () => {
    const { server } = await open();
    await server.trust();
    rmSync(join(directory.path, 'node_modules'), { recursive: true });
    await assert.rejects(
      server.processes.read(),
      /without the sandbox that its definition asks for\. Ask them/,
    );
    const { verdict } = server;
    assert.deepEqual(verdict.kind === 'changed' && verdict.changes, [{ field: 'sandbox', after: 'none' }]);
    assert.deepEqual((await server.look()).sandboxLacks, ['@vscode/sandbox-runtime']);
    await server.trust();
    await server.processes.read();
    assert.ok(fieldsOf(server.catalogue).tools);
  });
});
