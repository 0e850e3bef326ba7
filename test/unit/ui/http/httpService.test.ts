import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Tokens } from '../../../../src/ui/http/httpService.ts';
import { Emitter } from '../../../fakes/emitter.ts';

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

/** Secret storage of all windows, which takes a turn for each access. */
class Secrets {
  #stored = new Map<string, string>();
  readonly #changes = new Emitter<{ key: string }>();
  readonly onDidChange = this.#changes.event;

  async get(key: string): Promise<string | undefined> {
    await turn();
    return this.#stored.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    await turn();
    this.#stored.set(key, value);
    this.#changes.fire({ key });
  }

  async delete(): Promise<void> {}

  async keys(): Promise<string[]> {
    return [...this.#stored.keys()];
  }
}

describe('ui/http/httpService: tokens', () => {
  const names = (tokens: Tokens) => tokens.all.map(({ name }) => name);

  it('belong to one client each, are known in all windows, and are revoked one by one or at once', async () => {
    const secrets = new Secrets();
    const [here, there] = [new Tokens(secrets), new Tokens(secrets)];
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => here.add(name)));
    assert.equal(new Set([a?.token, b?.token, c?.token]).size, 3);
    await there.read();
    assert.deepEqual(
      [names(here), names(there)],
      [
        ['a', 'b', 'c'],
        ['a', 'b', 'c'],
      ],
    );
    const changed = new Promise<void>((resolve) => there.onDidChange(resolve));
    await Promise.all([here.revoke(a?.id ?? ''), here.revoke(c?.id ?? '')]);
    await changed;
    await there.read();
    assert.deepEqual([names(here), names(there)], [['b'], ['b']]);
  });

  it('are none where what is stored cannot be read', async () => {
    const secrets = new Secrets();
    await secrets.store('http.tokens', '[{"id":"1","name":"short","token":"x"}, 7');
    const tokens = new Tokens(secrets);
    assert.deepEqual(await tokens.read(), []);
  });
});
