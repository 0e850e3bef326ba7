import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { applyPlans } from '../../../../src/agents/applyPlans.ts';
import { examine } from '../../../../src/agents/examine.ts';
import { planToConfigure, USUAL } from '../../../../src/agents/plan.ts';
import { entryNamesIn } from '../../../../src/util/diskPaths.ts';
import { removeTemporary } from '../../../temporary.ts';
import { variants } from '../files.ts';
import { makeMachine, type TestMachine, targetOf } from '../machine.ts';

const LANGUAGES = [
  { id: 'dockerfile', extensions: ['.dockerfile', 'Dockerfile'] },
  { id: 'typescript', extensions: ['.cts', '.ts'] },
];
const BY_ENDING = { '.dockerfile': 'dockerfile', '.cts': 'typescript', '.ts': 'typescript' };
const AGENTS = ['claude-code', 'copilot-cli', 'opencode'];
const ID = 'language-servers@workspace-mcp';
const OFF = { disabled: true };

describe('agents/languageServers/readLanguageServers', () => {
  let made: TestMachine;
  beforeEach(() => {
    made = makeMachine();
    made.machine = { ...made.machine, languages: LANGUAGES };
  });
  afterEach(() => removeTemporary(made.machine.home));

  const at = (...names: string[]) => join(made.machine.home, ...names);
  const textOf = (...names: string[]) => readFileSync(at(...names), 'utf8');
  const jsonOf = (...names: string[]) => JSON.parse(textOf(...names));
  const put = (text: string, ...names: string[]) => {
    mkdirSync(dirname(at(...names)), { recursive: true });
    writeFileSync(at(...names), text);
  };
  const connect = async (id: string, languageServers = true, scope = 'user') => {
    const extras = { ...USUAL, languageServers };
    return applyPlans(await planToConfigure(targetOf(id, scope), made.launch, made.machine, extras));
  };
  const stateOf = async (id: string) => {
    const { state, languageServers } = (await examine(targetOf(id), made.launch, made.machine)) ?? {};
    return [state, languageServers?.state];
  };
  const start = (name: string) => ({ command: 'node', args: [made.launch.shim, 'lsp', name] });
  const OPENCODE = ['.config', 'opencode', 'opencode.json'];
  const MARKETPLACE = ['.workspace-mcp', 'claude-code', '.claude-plugin', 'marketplace.json'];
  const lspOf = () => jsonOf(...OPENCODE).lsp;

  for (const id of AGENTS)
    it(`${id}: is written where that is wanted, repaired, and removed without a trace`, async () => {
      const left = () => entryNamesIn(made.machine.home).sort();
      const before = left();
      await connect(id, false);
      assert.deepEqual(await stateOf(id), ['configured', 'absent']);
      await connect(id);
      assert.deepEqual(await stateOf(id), ['configured', 'configured']);
      made.launch = { ...made.launch, env: { WORKSPACE_MCP_HOME: '/elsewhere' } };
      made.machine = { ...made.machine, languages: LANGUAGES.slice(1) };
      assert.deepEqual(await stateOf(id), ['outdated', 'outdated']);
      await connect(id);
      assert.deepEqual(await stateOf(id), ['configured', 'configured']);
      await connect(id, false);
      assert.deepEqual(await stateOf(id), ['configured', 'absent']);
      await connect(id);
      await made.remove(targetOf(id));
      assert.deepEqual(await stateOf(id), ['absent', 'absent']);
      assert.deepEqual(left(), before);
      assert.deepEqual(entryNamesIn(at('.workspace-mcp')), ['shim.js']);
    });

  it('stays as it is in windows with other languages, until the agent is connected again', async () => {
    for (const id of AGENTS) await connect(id);
    made.machine = { ...made.machine, languages: [{ id: 'go', extensions: ['.go'] }] };
    for (const id of AGENTS) assert.deepEqual(await stateOf(id), ['configured', 'configured']);
    await connect('copilot-cli');
    const { fileExtensions } = jsonOf('.copilot', 'lsp-config.json').lspServers['workspace-mcp'];
    assert.deepEqual(fileExtensions, { '.go': 'go' });
  });

  it('is for entries of the user, agents that speak LSP, and windows that have languages', async () => {
    await connect('opencode', true, 'project');
    assert.ok(!('lsp' in jsonOf('app', 'opencode.json')));
    assert.deepEqual(await stateOf('gemini-cli'), ['absent', undefined]);
    made.machine = { ...made.machine, languages: [] };
    for (const id of AGENTS) {
      await connect(id);
      assert.deepEqual(await stateOf(id), ['configured', 'absent']);
    }
  });

  it('that is left without an entry is told', async () => {
    await connect('copilot-cli');
    rmSync(at('.copilot', 'mcp-config.json'));
    rmSync(at('.copilot', 'hooks'), { recursive: true });
    const { state, problem } = (await examine(targetOf('copilot-cli'), made.launch, made.machine)) ?? {};
    assert.deepEqual([state, problem], ['outdated', 'There is a language server without the entry.']);
  });

  it('stops everything if its file is not valid, but only where it is wanted', async () => {
    put('{', '.copilot', 'lsp-config.json');
    await assert.rejects(
      connect('copilot-cli'),
      /lsp-config\.json is not valid.*turn off the row "Language Servers"/,
    );
    assert.ok(!existsSync(at('.copilot', 'mcp-config.json')));
    await connect('copilot-cli', false);
    assert.deepEqual(await stateOf('copilot-cli'), ['configured', 'unreadable']);
  });

  it('Copilot CLI: is beside the servers of the user, which stay', async () => {
    const mine =
      '{\n  "lspServers": {\n    "ts": { "command": "a", "fileExtensions": { ".ts": "typescript" } }\n  }\n}';
    put(mine, '.copilot', 'lsp-config.json');
    await connect('copilot-cli');
    const { lspServers } = jsonOf('.copilot', 'lsp-config.json');
    assert.deepEqual(Object.keys(lspServers), ['ts', 'workspace-mcp']);
    assert.deepEqual(lspServers['workspace-mcp'], { ...start('Copilot CLI'), fileExtensions: BY_ENDING });
    await made.remove(targetOf('copilot-cli'));
    assert.equal(textOf('.copilot', 'lsp-config.json'), mine);
  });

  it('a server of the same name that is not ours stays', async () => {
    put('{"lspServers":{"workspace-mcp":{"command":"a"}}}', '.copilot', 'lsp-config.json');
    await connect('copilot-cli');
    const { lspServers } = jsonOf('.copilot', 'lsp-config.json');
    assert.deepEqual(Object.keys(lspServers), ['workspace-mcp', 'workspace-mcp-vscode']);
    assert.deepEqual(lspServers['workspace-mcp'], { command: 'a' });
  });

  it('Claude Code: is a plugin in our folder, which the settings turn on', async () => {
    await connect('claude-code');
    const [plugin] = jsonOf(...MARKETPLACE).plugins;
    assert.deepEqual(plugin.lspServers, {
      'workspace-mcp': { ...start('Claude Code'), extensionToLanguage: BY_ENDING },
    });
    const { extraKnownMarketplaces, enabledPlugins } = jsonOf('.claude', 'settings.json');
    const source = { source: 'directory', path: at('.workspace-mcp', 'claude-code') };
    assert.deepEqual(extraKnownMarketplaces, { 'workspace-mcp': { source } });
    assert.deepEqual(enabledPlugins, { [ID]: true });
  });

  it('Claude Code: what it notes of us goes too, and what it notes of others stays', async () => {
    put('{\n  "enabledPlugins": { "a@b": true }\n}\n', '.claude', 'settings.json');
    await connect('claude-code');
    const NOTES = ['.claude', 'plugins'];
    put('{"b": {}, "workspace-mcp": {}}', ...NOTES, 'known_marketplaces.json');
    put(`{"version": 2, "plugins": {"a@b": [], "${ID}": []}}`, ...NOTES, 'installed_plugins.json');
    await connect('claude-code');
    assert.deepEqual(await stateOf('claude-code'), ['configured', 'configured']);
    assert.ok('workspace-mcp' in jsonOf(...NOTES, 'known_marketplaces.json'));
    await made.remove(targetOf('claude-code'));
    assert.deepEqual(jsonOf(...NOTES, 'known_marketplaces.json'), { b: {} });
    assert.deepEqual(jsonOf(...NOTES, 'installed_plugins.json'), { version: 2, plugins: { 'a@b': [] } });
    assert.equal(textOf('.claude', 'settings.json'), '{\n  "enabledPlugins": { "a@b": true }\n}\n');
  });

  it('Claude Code: a plugin that was uninstalled is out of date', async () => {
    await connect('claude-code');
    put('{}', '.claude', 'settings.json');
    assert.deepEqual((await stateOf('claude-code'))[1], 'outdated');
  });

  it('opencode: turns off all of its own where none ran', async () => {
    await connect('opencode');
    const { 'workspace-mcp': ours, ...others } = lspOf();
    const { command, args } = start('opencode');
    const extensions = Object.keys(BY_ENDING);
    assert.deepEqual(ours, { command: [command, ...args], extensions, initialization: { replaces: 'all' } });
    assert.ok(Object.keys(others).length > 35);
    for (const one of Object.values(others)) assert.deepEqual(one, OFF);
  });

  it('opencode: turns off those of served languages where others run, and none that the user has set', async () => {
    const mine =
      '{\n  "lsp": {\n    "eslint": { "disabled": true }, // mine\n    "deno": { "env": {} }\n  }\n}\n';
    put(mine, ...OPENCODE);
    await connect('opencode');
    const { before, after } = (
      await planToConfigure(targetOf('opencode'), made.launch, made.machine, {
        ...USUAL,
        languageServers: true,
      })
    )[0] ?? { before: '', after: undefined };
    assert.equal(after, before);
    const text = textOf(...OPENCODE).replace('// mine', '');
    const { eslint, deno, typescript, dockerfile, gopls, 'workspace-mcp': ours } = JSON.parse(text).lsp;
    assert.deepEqual([eslint, deno], [OFF, { env: {} }]);
    assert.deepEqual([typescript, dockerfile, gopls], [OFF, OFF, undefined]);
    assert.deepEqual(ours.initialization.replaces, ['typescript', 'oxlint', 'biome', 'dockerfile']);
    await made.remove(targetOf('opencode'));
    assert.equal(textOf(...OPENCODE), mine);
  });

  it('opencode: one that the user turns on again stays on', async () => {
    await connect('opencode');
    const changed = jsonOf(...OPENCODE);
    changed.lsp.typescript = { disabled: false };
    put(JSON.stringify(changed, null, 2), ...OPENCODE);
    assert.deepEqual(await stateOf('opencode'), ['configured', 'configured']);
    await connect('opencode');
    assert.deepEqual(lspOf().typescript, { disabled: false });
    await made.remove(targetOf('opencode'));
    assert.deepEqual(jsonOf(...OPENCODE), { lsp: { typescript: { disabled: false } } });
  });

  for (const is of ['true', 'false', '{}'])
    it(`opencode: "lsp": ${is} comes back`, async () => {
      for (const change of Object.values(variants)) {
        const mine = change(`{\n  // mine\n  "lsp": ${is},\n  "model": "x/y"\n}\n`);
        put(mine, ...OPENCODE);
        await connect('opencode');
        const text = textOf(...OPENCODE)
          .replace(/^\ufeff/, '')
          .replace('// mine', '');
        const { lsp, model } = JSON.parse(text);
        assert.deepEqual([model, lsp.typescript], ['x/y', OFF]);
        assert.equal(lsp.gopls?.disabled, is === 'false' ? true : undefined);
        await connect('opencode');
        assert.deepEqual(await stateOf('opencode'), ['configured', 'configured']);
        await made.remove(targetOf('opencode'));
        assert.equal(textOf(...OPENCODE), mine);
      }
    });
});
