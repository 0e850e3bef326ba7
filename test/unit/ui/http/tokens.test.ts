import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Tokens } from '../../../../src/ui/http/httpService.ts';
import { Emitter } from '../../../fakes/emitter.ts';

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

describe('ui/http/tokens', () => {
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
