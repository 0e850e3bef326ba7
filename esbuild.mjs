// Builds the bundles into dist/:
//   extension.cjs  what VS Code loads at start-up: it loads window.cjs with V8's compiled code of an earlier time
//   window.cjs     what a window needs without agents; small
//   lists.cjs      the lists and menus that commands open, the review and comments; loaded with the first of them, or the first edit
//   protocol.cjs   the MCP SDK, zod and all features; loaded with the first connection
//   http.cjs       the transports over HTTP; loaded where they are switched on
//   agents.cjs, diff.cjs, jsonc-parser.cjs  what lists.cjs and protocol.cjs both use
//   lsp.cjs        the converters of LSP's types; loaded with the first call of lsp_request
//   colours.js     colours code in the page of a question, in the browser
//   shim.js        what an agent starts, and relay.js, which it loads; without dependencies, for Node 20 and newer.
//                  The extension loads relay.js for its command that examines the connection
//   hook.js        what shim.js loads instead for a hook of an agent
//   lspServer.js   what shim.js loads instead for a client that speaks LSP
// and the plugin of TypeScript's server (src/tsserver).
// `node esbuild.mjs --watch` keeps them up to date.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build, context } from 'esbuild';
import { features } from './src/features/index.ts';
import { catalogue } from './src/protocol/server.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** What the shim tells an agent while no window is open. With --watch it stays what it was at the start. */
const offered = JSON.stringify(catalogue(features, version));

/** Entries that other bundles load when they first need them, and their bundles. */
const LAZY = {
  'src/server/sessions.ts': 'protocol.cjs',
  'src/server/http/httpServer.ts': 'http.cjs',
  'src/ui/lazyCommands.ts': 'lists.cjs',
  'src/shim/main.ts': 'relay.js',
  'src/shim/hook.ts': 'hook.js',
  'src/shim/lsp/main.ts': 'lspServer.js',
  'src/lsp/conversions.ts': 'lsp.cjs',
};
const bundleOf = new Map(Object.entries(LAZY).map(([entry, bundle]) => [resolve(entry), `./${bundle}`]));

/** `import('./server/sessions.ts')` becomes `require('./protocol.cjs')`. */
const lazily = {
  name: 'lazily',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path, kind, resolveDir }) => {
      const bundle = kind === 'dynamic-import' && bundleOf.get(resolve(resolveDir, path));
      return bundle ? { path: bundle, external: true } : undefined;
    });
  },
};

/** Packages that two bundles use: each is a bundle of its own, in the package once, with what is imported of it. */
const TWICE = ['diff', 'jsonc-parser'];
const importedOf = (name) => {
  const imports = new RegExp(`import \\{([^}]*)\\} from '${name}'`, 'g');
  const texts = globSync('src/**/*.ts').flatMap((path) => [...readFileSync(path, 'utf8').matchAll(imports)]);
  const names = texts.flatMap(([, list]) => list.split(',')).map((one) => one.trim());
  return [...new Set(names)].filter((one) => one !== '' && !one.startsWith('type '));
};
const apart = {
  name: 'apart',
  setup({ onResolve }) {
    const filter = new RegExp(`^(${TWICE.join('|')})$`);
    onResolve({ filter }, ({ path }) => ({ path: `./${path}.cjs`, external: true }));
  },
};

/** A module for what knows the agents' configurations: the sources of src/agents that others import. No two export one name. */
const AGENTS = ['programs', 'formats/format', 'formats/json'].map((name) => resolve(`src/agents/${name}.ts`));
const agentsApart = {
  name: 'agents-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) =>
      AGENTS.includes(resolve(resolveDir, path)) ? { path: './agents.cjs', external: true } : undefined,
    );
  },
};

/**
 * `import * as vscode` becomes an import of one module that requires it once. Otherwise esbuild copies the 450 names of the namespace for
 * each importing file, and VS Code looks up who requires it: both took a third of the activation.
 */
const plainVscode = {
  name: 'plain-vscode',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        /^import \* as vscode from 'vscode';$/m,
        "import vscode from 'plain:vscode';",
      ),
      loader: 'ts',
    }));
    onResolve({ filter: /^plain:vscode$/ }, () => ({ path: 'vscode', namespace: 'plain' }));
    onLoad({ filter: /.*/, namespace: 'plain' }, () => ({ contents: "export default require('vscode');" }));
  },
};

/** The SDK's default JSON Schema validator (AJV, 150 KB) is never reached: we pass our own. */
const withoutAjv = {
  name: 'without-ajv',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
      path: 'shims',
      namespace: 'sdk',
    }));
    onLoad({ filter: /.*/, namespace: 'sdk' }, () => ({
      contents:
        'export { default as process } from "node:process"; export class DefaultJsonSchemaValidator {}',
    }));
  },
};

/**
 * Leaves out parts of packages that cannot run here: a text in a file, and what stands for it. What only that text uses goes with it.
 * The build fails where a new version of a package has no such text.
 */
const unreached = (...parts) => ({
  name: 'unreached',
  setup({ onLoad, onEnd }) {
    const left = new Set(parts);
    for (const part of parts)
      onLoad({ filter: part.file }, ({ path }) => {
        const [before, after, ...more] = readFileSync(path, 'utf8').split(part.text);
        if (after === undefined || more.length > 0)
          return { errors: [{ text: `Not once there: ${part.text}` }] };
        left.delete(part);
        return { contents: before + part.instead + after };
      });
    onEnd(() => ({ errors: [...left].map(({ file }) => ({ text: `Not in the bundle: ${file}` })) }));
  },
});

/** We make a `Server`, no `McpServer`, and give it a transport of our own. */
const unreachedInSdk = unreached(
  {
    file: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]stdio\.mjs$/,
    text: 'product instanceof McpServer ? product.server : product',
    instead: 'product',
  },
  {
    file: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]mcp-[\w-]+\.mjs$/,
    text: 'transport instanceof PerRequestHTTPServerTransport ? readClassification(transport) : void 0',
    instead: 'void 0',
  },
);

/** We serve web sockets, without compression, and open none. */
const unreachedInWs = unreached(
  {
    file: /[\\/]ws[\\/]lib[\\/]websocket\.js$/,
    text: 'initAsClient(this, address, protocols, options)',
    instead: 'undefined',
  },
  {
    file: /[\\/]ws[\\/]lib[\\/]permessage-deflate\.js$/,
    text: /.+/s,
    instead: "module.exports = { extensionName: 'permessage-deflate' };",
  },
  {
    file: /[\\/]ws[\\/]wrapper\.mjs$/,
    text: "import createWebSocketStream from './lib/stream.js';",
    instead: 'const createWebSocketStream = undefined;',
  },
);

/**
 * The converters use only some types of LSP's protocol, as `proto.Range`. Its package brings a JSON-RPC connection (100 KB) as well, and
 * the one with the types fills each namespace beside its declaration, which a bundler has to keep: as a value it can leave it out.
 */
const usedTypes = {
  name: 'used-types',
  setup({ onResolve, onLoad }) {
    const namesIn = (path, pattern) =>
      [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, name]) => name);
    const converters = globSync('node_modules/vscode-languageclient/lib/common/{codeConverter,protocol*}.js');
    const asked = new Set(converters.flatMap((path) => namesIn(path, /\bproto\.(\w+)/g)));
    const types = 'node_modules/vscode-languageserver-types/lib/esm/main.js';
    const used = namesIn(types, /^export var (\w+);$/gm).filter((name) => asked.has(name));
    onResolve({ filter: /^vscode-languageserver-protocol$/ }, () => ({ path: 'types', namespace: 'used' }));
    onLoad({ filter: /.*/, namespace: 'used' }, () => ({
      contents: `export {${used}} from 'vscode-languageserver-types'`,
      resolveDir: '.',
    }));
    onLoad({ filter: /vscode-languageserver-types[\\/]lib[\\/]esm[\\/]main\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        /^((?:export )?)var (\w+);\n\(function \(\2\) \{\n(.*?)^\}\)\(\2 \|\| \(\2 = \{\}\)\);$/gms,
        '$1var $2 = /* @__PURE__ */ (function ($2) {\n$3return $2;\n})({});',
      ),
    }));
  },
};

/**
 * V8 keeps a text in two bytes a character if one of them is not Latin-1, and takes 10 to 15 ms longer to load it. esbuild escapes all
 * characters that are not ASCII except those in regular expressions, where the same escapes mean the same, and in `String.raw`, so
 * write nothing there but the text of a regular expression.
 */
const asciiOnly = {
  name: 'ascii-only',
  setup({ initialOptions: { outfile }, onEnd }) {
    const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    onEnd(({ errors }) => {
      if (errors.length > 0) return;
      const text = readFileSync(outfile, 'utf8');
      writeFileSync(outfile, text.replace(/[^\0-\x7f]/g, escaped));
    });
  },
};

/** Where TypeScript's server looks for a plugin of an extension, and only there. */
const PLUGIN = 'node_modules/workspace-mcp-tsserver';

const shared = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  mainFields: ['module', 'main'], // jsonc-parser's `main` is UMD, which hides its own imports from a bundler
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  supported: { 'dynamic-import': false },
  external: ['vscode'],
};

/** @param entry one of the table above */
const lazy = (entry) => ({ entryPoints: [entry], outfile: `dist/${LAZY[entry]}` });

const bundles = [
  {
    ...shared,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.cjs',
    target: 'node22',
    plugins: [plainVscode],
  },
  {
    ...shared,
    entryPoints: ['src/window.ts'],
    outfile: 'dist/window.cjs',
    target: 'node22',
    plugins: [lazily, plainVscode, asciiOnly],
  },
  {
    ...shared,
    ...lazy('src/ui/lazyCommands.ts'),
    target: 'node22',
    plugins: [lazily, apart, agentsApart, plainVscode, asciiOnly],
  },
  {
    ...shared,
    ...lazy('src/server/sessions.ts'),
    // zod asks for it; VS Code logs an error, with a stack, when an extension does.
    define: { navigator: 'undefined' },
    target: 'node22',
    plugins: [lazily, apart, agentsApart, withoutAjv, unreachedInSdk, asciiOnly],
  },
  {
    ...shared,
    stdin: { contents: AGENTS.map((path) => `export * from '${path}';`).join('\n'), resolveDir: '.' },
    outfile: 'dist/agents.cjs',
    target: 'node22',
    plugins: [apart, asciiOnly],
  },
  ...TWICE.map((name) => ({
    ...shared,
    stdin: { contents: `export {${importedOf(name)}} from '${name}'`, resolveDir: '.' },
    outfile: `dist/${name}.cjs`,
    target: 'node22',
    plugins: [asciiOnly],
  })),
  {
    ...shared,
    ...lazy('src/server/http/httpServer.ts'),
    target: 'node22',
    plugins: [unreachedInWs, asciiOnly],
    // The native parts of ws, which it does without.
    external: ['bufferutil', 'utf-8-validate'],
  },
  {
    ...shared,
    ...lazy('src/lsp/conversions.ts'),
    target: 'node22',
    plugins: [usedTypes],
  },
  {
    ...shared,
    entryPoints: ['src/ui/approvals/colours.ts'],
    outfile: 'dist/colours.js',
    platform: 'browser',
    format: 'iife',
    target: 'chrome120',
    // Prism colours a page by itself, or in a worker, unless there is neither.
    define: { window: 'undefined', WorkerGlobalScope: 'undefined', global: 'globalThis' },
  },
  {
    ...shared,
    ...lazy('src/shim/main.ts'),
    target: 'node20',
    external: [],
    plugins: [lazily],
    // Both are texts; the second is JSON, which is read only where it is needed.
    define: { __VERSION__: JSON.stringify(version), __CATALOGUE__: JSON.stringify(offered) },
  },
  {
    ...shared,
    ...lazy('src/shim/hook.ts'),
    target: 'node20',
    external: [],
    define: { __VERSION__: JSON.stringify(version) },
  },
  {
    ...shared,
    ...lazy('src/shim/lsp/main.ts'),
    target: 'node20',
    external: [],
    plugins: [lazily],
    define: { __VERSION__: JSON.stringify(version) },
  },
  {
    ...shared,
    entryPoints: ['src/shim/start.ts'],
    outfile: 'dist/shim.js',
    target: 'node20',
    external: [],
    plugins: [lazily],
    // The second line is read by src/ipc/installedShim.ts: a copy is never replaced by an older one.
    banner: { js: `#!/usr/bin/env node\n// workspace-mcp shim ${version}` },
  },
  {
    ...shared,
    entryPoints: ['src/tsserver/plugin.ts'],
    outfile: `${PLUGIN}/index.js`,
    target: 'node20',
    footer: { js: 'module.exports = module.exports.default;' },
  },
];

if (process.argv.includes('--watch')) {
  for (const bundle of bundles) await (await context(bundle)).watch();
} else {
  const results = await Promise.all(bundles.map((bundle) => build({ ...bundle, metafile: true })));
  // What each bundle is made of: for the licences and sizes in scripts/package.ts, and for test/rules.
  const all = (part) => Object.assign({}, ...results.map(({ metafile }) => metafile[part]));
  writeFileSync('dist/meta.json', JSON.stringify({ inputs: all('inputs'), outputs: all('outputs') }));
}
// Copied beside the stable copy of the shim as well: whatever package that lies in, Node takes it for CommonJS.
writeFileSync('dist/package.json', '{ "type": "commonjs" }\n');
mkdirSync(PLUGIN, { recursive: true });
writeFileSync(`${PLUGIN}/package.json`, JSON.stringify({ name: 'workspace-mcp-tsserver', version }));
