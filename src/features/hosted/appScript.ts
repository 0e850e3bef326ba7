/**
 * An app (MCP Apps) knows the names and URIs of its server, and its host sends what it asks for to us. So the app's page gets a script
 * that comes before its own: it renames the tool of `tools/call`, and the URI of `resources/read`, in what the page posts to its host.
 * Whatever the app asks for then belongs to its server: a tool of ours, or of another server, cannot be meant by its name.
 *
 * The page sees a stand-in for its parent, because the window of another origin cannot be changed; the source of what comes from the
 * host is that one too, since the SDK of apps compares them. A second page in the same window must not be renamed twice.
 */
const SCRIPT = `((starts, names) => {
  const kept = (window[Symbol.for('workspaceMcp.host')] ??= {
    host: window.parent,
    source: Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'source').get,
  });
  const { host, source } = kept;
  if (host === window) return;
  const isOf = (one, ...all) => all.some((start) => one.startsWith(start));
  const nameOf = (own) =>
    Object.hasOwn(names, own) ? names[own] : isOf(own, starts.name) ? own : starts.name + own;
  const uriOf = (own) =>
    isOf(own, starts.app, starts.other) ? own
      : isOf(own, 'ui://') ? starts.app + own.slice(5) : starts.other + own;
  const renamed = (message) => {
    const { method, params } = message ?? {};
    const [field, change] =
      method === 'tools/call' ? ['name', nameOf] : method === 'resources/read' ? ['uri', uriOf] : [];
    if (!field || typeof params !== 'object' || params === null) return message;
    return { ...message, params: { ...params, [field]: change(String(params[field])) } };
  };
  const send = host.postMessage.bind(host);
  const postMessage = (message, ...rest) => send(renamed(message), ...rest);
  const shown = new Proxy(host, {
    get: (_, key) => {
      if (key === 'postMessage') return postMessage;
      const value = host[key];
      return typeof value === 'function' && !value.prototype ? value.bind(host) : value;
    },
    set: (_, key, value) => Reflect.set(host, key, value),
  });
  window.parent = shown;
  Object.defineProperty(MessageEvent.prototype, 'source', {
    configurable: true,
    enumerable: true,
    get() {
      const from = source.call(this);
      return from === host ? shown : from;
    },
  });
})`;

interface AppNames {
  /** From `hostedStarts`. */
  starts: object;
  /** The names of tools that are not the start and the server's own name, by that. */
  names: object;
}

/** What an app's page has before its first element, up to and with the start of its head. */
const BEGINNING =
  /^(?:\s|<!--[\s\S]*?-->|<!doctype[^>]*>)*(?:<html(?=[\s>])(?:"[^"]*"|'[^']*'|[^'">])*>(?:\s|<!--[\s\S]*?-->)*)?(<head(?=[\s>])(?:"[^"]*"|'[^']*'|[^'">])*>)?/i;

/**
 * The page of an app, with the script as the first one of its head: what a host puts there itself comes before it. The script is
 * inline, which hosts allow.
 */
export function withAppScript(page: string, { starts, names }: AppNames): string {
  // No text in it may end the script.
  const [first, second] = [starts, names].map((one) => JSON.stringify(one).replaceAll('<', '\\u003c'));
  const script = `<script>${SCRIPT}(${first}, ${second});</script>`;
  const [beginning = '', head] = BEGINNING.exec(page) ?? [];
  return beginning + (head ? script : `<head>${script}</head>`) + page.slice(beginning.length);
}
