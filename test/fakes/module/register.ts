/** Lets plain Node load what imports `vscode` at run time. Mocha requires it for each of its processes (.mocharc.json). */
import { registerHooks } from 'node:module';

const url = new URL('vscode.cjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url, format: 'commonjs', shortCircuit: true } : next(specifier, context),
});
