/** The page of an app in a window of its own, whose parent is a host. */
import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';

// biome-ignore lint/suspicious/noExplicitAny: what the page posts
type Untyped = any;

/** A message as the window gets it. The real one has an accessor in its prototype, too. */
class MessageEvent {
  #source: unknown;
  constructor(source: unknown) {
    this.#source = source;
  }
  get source(): unknown {
    return this.#source;
  }
}

function scriptOf(html: string): string {
  const [, script] = /<head[^>]*><script>([\s\S]*?)<\/script>/.exec(html) ?? [];
  assert.ok(script, html);
  return script;
}

/** Runs the first script of a page. */
export function openPage(html: string) {
  const posted: Untyped[] = [];
  const host = {
    get self() {
      return host;
    },
    focus() {
      return this === host;
    },
    postMessage(message: unknown, ...rest: unknown[]) {
      assert.equal(this, host);
      posted.push(message);
      assert.deepEqual(rest, ['*']);
    },
  };
  const window: Untyped = { parent: host };
  const run = (page = html) =>
    void runInNewContext(scriptOf(page), { window, MessageEvent, globalThis: window });
  run();
  return {
    window,
    host,
    /** Runs the first script again, or that of a page that comes later into the same window. */
    run,
    /** What the host gets for a message of the page. */
    post(message: object): Untyped {
      window.parent.postMessage(message, '*');
      return posted.pop();
    },
    sourceOf: (from: 'host' | 'other') => new MessageEvent(from === 'host' ? host : window).source,
  };
}
