/** `npm run icon`: makes media/icon.png, which the marketplaces show, from media/icon.svg, by the tests' Chromium. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeAll } from '../test/host/cleanup.ts';
import { startBrowser } from '../test/host/headless/browser.ts';
import { ensureHeadlessHost } from '../test/host/headless/install.ts';
import { projectRoot } from '../test/host/paths.ts';
import { makeScratch } from '../test/host/scratch.ts';

/** Pixels: what the Visual Studio Marketplace asks for. */
const SIZE = 128;

const media = (name: string) => join(projectRoot, 'media', name);

try {
  const { chromium } = await ensureHeadlessHost(console.log);
  const browser = await startBrowser(chromium, makeScratch().path);
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: SIZE, height: SIZE });
  await page.setContent(
    `<style>body { margin: 0 } svg { display: block }</style>${readFileSync(media('icon.svg'), 'utf8')}`,
  );
  await page.screenshot({ path: media('icon.png'), omitBackground: true });
  console.log(`media/icon.png: ${SIZE}×${SIZE}, ${readFileSync(media('icon.png')).length} bytes`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
await closeAll();
process.exit();
