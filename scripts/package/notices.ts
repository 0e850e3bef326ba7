/** The licences of what is bundled: all of them ask for their text to go along with copies. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundledPackage } from './bundledPackages.ts';

/** @throws Error where a package brings no text of its licence */
export function thirdPartyNotices(packages: BundledPackage[]): string {
  const byName = [...packages].sort((a, b) => (a.name < b.name ? -1 : 1));
  const notices = byName.map((one) => `${one.name} ${one.version} (${one.license})\n\n${licenseText(one)}\n`);
  return ['Workspace MCP contains parts of the following packages.\n', ...notices].join(
    `\n${'-'.repeat(80)}\n\n`,
  );
}

function licenseText({ name, directory }: BundledPackage): string {
  const file = readdirSync(directory).find((entry) => /^licen[cs]e([.-](md|txt|mit))*$/i.test(entry));
  if (!file) throw new Error(`The package ${name} is bundled, but it brings no text of its licence.`);
  return readFileSync(join(directory, file), 'utf8').trim();
}
