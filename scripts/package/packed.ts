import { globSync } from 'node:fs';
import { projectRoot } from '../../test/host/paths.ts';

/** What the extension needs when it runs, and what marketplaces show, beside the README. */
const PACKED = [
  'package.json',
  'package.nls*.json',
  'l10n/*.json',
  'CHANGELOG.md',
  'LICENSE',
  'dist/*.cjs',
  'dist/{shim,relay,doctor}.js',
  'dist/package.json',
  'dist/THIRD_PARTY_NOTICES.txt',
  'media/icon.png',
  'media/view.svg',
  'media/{walkthrough,question}/*.*',
];

/** The files of the package, relative to the project. `npm run build` has made some of them. */
export const packedFiles = (): string[] => globSync(PACKED, { cwd: projectRoot }).sort();
