import type { L10n } from '../../../src/hosting/config/problems.ts';

/** `vscode.l10n` of an English window. */
export const english = {
  t: (text: string, ...values: unknown[]) => text.replace(/\{(\d+)\}/g, (_, index) => `${values[index]}`),
} as L10n;
