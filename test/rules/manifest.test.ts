import assert from 'node:assert/strict';
import { SETTINGS } from '../../src/core/settings.ts';
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
    const exported = found(read('src/window.ts'), /registerCommand\('([\w.]+)'/g);
    const all = [...registered, ...exported].sort();
    assert.deepEqual(commands.map(({ command }: { command: string }) => command).sort(), all);
    for (const { title, category } of commands) assert.ok(title && category === manifest.displayName);
  });

  it('names only commands that are contributed', () => {
    const menus = JSON.stringify(manifest.contributes.menus ?? {});
    const used = found(sources.map(read).join('\n') + menus, /command(?:"?: "?| = )'?"?(workspaceMcp\.\w+)/g);
    const known = commands.map(({ command }: { command: string }) => command);
    const wrong = used.filter((command) => !known.includes(command));
    assert.deepEqual(wrong, []);
  });

  it('contributes every setting that is read, with a default and a description, and no other', () => {
    const code = sources.filter((path) => path !== 'src/core/settings.ts').map((path) => read(path));
    const names = SETTINGS.map((name) => `workspaceMcp.${name}`);
    assert.deepEqual(Object.keys(configuration.properties).sort(), names);
    const readNames = code.join('\n');
    const isRead = (name: string) => readNames.includes(`'${name}'`) || /^access\./.test(name); // by the keys of its settings
    const unread = SETTINGS.filter((name) => !isRead(name));
    assert.deepEqual(unread, []);
    for (const one of code) assert.doesNotMatch(one, /getConfiguration\('workspaceMcp[^)]*\)\.(get|inspect)/);
    for (const [name, setting] of Object.entries<Record<string, unknown>>(configuration.properties))
      for (const part of ['default', 'type', 'scope', 'markdownDescription'])
        assert.ok(part in setting, `${name}: ${part}`);
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
    const wrong = files.filter((file) => !isTracked(file));
    assert.deepEqual(wrong, []);
  });
});
