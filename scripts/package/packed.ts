import { globSync } from 'node:fs';
import { projectRoot } from '../../test/host/paths.ts';

/** What the extension needs when it runs, and what marketplaces show, beside the README. */
const PACKED = [
  'package.json',
  'package.nls*.json',
  'l10n/bundle.l10n.*.json', // the English one is for translators only
  'CHANGELOG.md',
  'LICENSE',
  'dist/*.cjs',
  'dist/{shim,relay,doctor,colours}.js',
  'dist/package.json',
  'dist/THIRD_PARTY_NOTICES.txt',
  'node_modules/workspace-mcp-tsserver/*',
  'media/icon.png',
  'media/view.svg',
  'media/{walkthrough,question}/*.*',
];

/** The files of the package, relative to the project. `npm run build` has made some of them. */
export const packedFiles = (): string[] => globSync(PACKED, { cwd: projectRoot }).sort();
