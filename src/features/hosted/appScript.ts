/**
 * An app (MCP Apps) knows the names and URIs of its server, and its host sends what it asks for to us. So the app's page gets a script
 * that comes before its own: it renames the tool of `tools/call`, and the URI of `resources/read`, in what the page posts to its host.
 * Whatever the app asks for by the SDK of apps then belongs to its server, also if a tool of ours or of another server has the same
 * name. This is no boundary: a page that wants to finds its host by `window.top` or a frame of its own. What keeps such a page from
 * tools is `closedToApps`.
 *
 * The page sees a stand-in for its parent, because the window of another origin cannot be changed; the source of what comes from the
 * host is that one too, since the SDK of apps compares them. A second page of the server in the same window must not be renamed twice;
 * one of another server calls nothing, since its names get both starts.
 */
const SCRIPT = `((starts, names) => {
  const [host, mark] = [window.parent, Symbol.for('workspaceMcp.app')];
  if (host === window || window[mark] === starts.name) return;
  window[mark] = starts.name;
  const { get: source } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'source');
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
      if (value === host) return shown;
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
