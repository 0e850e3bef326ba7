import assert from 'node:assert/strict';
import { isTracked, read, tracked } from './sources.ts';

const manifest = JSON.parse(read('package.json'));
const { commands, configuration } = manifest.contributes;
const sources = tracked('src').filter((path) => path.endsWith('.ts'));

/** First groups of a pattern in a text, sorted, each once. */
const found = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].flatMap(([, group]) => group ?? []))].sort();

describe('rules: package.json', () => {
  it('contributes every command that is registered, and no other', () => {
    const table = read('src/ui/commands.ts').match(/const commands[^{]*\{([\s\S]*?)\n {2}\}/)?.[1] ?? '';
    const registered = found(table, /^ {4}(\w+):/gm).map((name) => `workspaceMcp.${name}`);
    assert.ok(registered.length > 0);
    assert.deepEqual(commands.map(({ command }: { command: string }) => command).sort(), registered);
    for (const { title, category } of commands) assert.ok(title && category === manifest.displayName);
  });

  it('names only commands that are contributed', () => {
    const menus = JSON.stringify(manifest.contributes.menus ?? {});
    const used = found(sources.map(read).join('\n') + menus, /command(?:"?: "?| = )'?"?(workspaceMcp\.\w+)/g);
    const known = commands.map(({ command }: { command: string }) => command);
    assert.deepEqual(
      used.filter((command) => !known.includes(command)),
      [],
    );
  });

  it('contributes every setting that is read, with a default and a description, and no other', () => {
    const own = found(read('src/ui/settings.ts'), /(?:inspect|get)<boolean>\('([\w.]+)'/g);
    const source = read('src/access/accessSettings.ts');
    const access = found(source, /\bread\(\s*'(\w+)'/g).map((name) => `access.${name}`);
    const tools = found(read('src/core/userChoices.ts'), /\bvaluesOf\('(\w+)'\)/g).map(
      (name) => `tools.${name}`,
    );
    const lists = found(
      read('src/services/toolSwitches.ts'),
      /'workspaceMcp\.tools', null\)\.get\('(\w+)'\)/g,
    ).map((name) => `tools.${name}`);
    const consent = found(source, /'workspaceMcp'\)\.inspect<[^(]*>\('(\w+)'\)/g);
    const others = found(
      [
        'hosting/config/administration',
        'hosting/config/sources',
        'features/hosted/editorTools',
        'server/sessions',
      ]
        .map((name) => read(`src/${name}.ts`))
        .join(''),
      /'workspaceMcp'\)\.(?:inspect|get)\('([\w.]+)'\)/g,
    );
    const prompts = found(read('src/features/prompts/promptList.ts'), /\.inspect<.*>\('(\w+)'\)/g).map(
      (name) => `prompts.${name}`,
    );
    const http = found(read('src/ui/http/httpService.ts'), /\.get(?:<.*>)?\('(http\.\w+)'/g);
    for (const some of [own, access, tools, lists, consent, others, prompts, http])
      assert.ok(some.length > 0);
    const names = [...own, ...access, ...tools, ...lists, ...consent, ...others, ...prompts, ...http]
      .map((name) => `workspaceMcp.${name}`)
      .sort();
    assert.deepEqual(Object.keys(configuration.properties).sort(), names);
    for (const [name, setting] of Object.entries<Record<string, unknown>>(configuration.properties)) {
      for (const part of ['default', 'type', 'scope', 'markdownDescription'])
        assert.ok(part in setting, `${name}: ${part}`);
    }
  });

  it('starts after VS Code has, and for nothing else', () =>
    assert.deepEqual(manifest.activationEvents, ['onStartupFinished']));

  it('asks for the VS Code whose types it is checked against', () =>
    assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`));

  it('pins every dependency, and brings none along: all is bundled', () => {
    assert.equal(manifest.dependencies, undefined);
    const ranges = Object.entries(manifest.devDependencies).filter(
      ([, version]) => !/^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(`${version}`),
    );
    assert.deepEqual(ranges, []);
  });

  it('is matched by a lock file that names no download address', () => {
    const lock = JSON.parse(read('package-lock.json'));
    assert.deepEqual(lock.packages[''].devDependencies, manifest.devDependencies);
    assert.equal(lock.version, manifest.version);
    assert.doesNotMatch(read('package-lock.json'), /"resolved"|registry/);
  });

  it('has scripts whose files are there', () => {
    const files = found(
      Object.values<string>(manifest.scripts).join('\n'),
      /\b((?:scripts|test)\/[\w/]+\.ts)\b/g,
    );
    assert.deepEqual(
      files.filter((file) => !isTracked(file)),
      [],
    );
  });
});
