/**
 * As much of `vscode` as words need, for the modules of ui/ that only put words together: tests import them, dynamically, after
 * this one.
 */
import { registerHooks } from 'node:module';

const MODULE = `export const l10n = {
  t: (text, ...values) => text.replace(/\\{(\\d+)\\}/g, (_, index) => values[index]),
};
export const env = { language: 'en' };
export const workspace = {};`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url: `data:text/javascript,${encodeURIComponent(MODULE)}`, shortCircuit: true }
      : next(specifier, context),
});
