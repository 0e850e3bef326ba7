/** Takes pictures of a window when all in it has come to rest. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { projectRoot } from '../../test/host/paths.ts';
import { atRest } from './contents.ts';
import type { PictureWindow } from './window.ts';

/** From 0 to 1; below, letters get blurred. */
const WEBP_QUALITY = 0.15;

/**
 * @param path relative to the repository: a PNG, or a WebP, which is a third of its size
 * @param hasAll throws where what the picture is about is not there
 * @param part only this of the window
 */
export async function picture(
  { page, home }: PictureWindow,
  path: string,
  hasAll: () => Promise<void>,
  part: Page | Locator = page,
): Promise<void> {
  await hasAll();
  await page.mouse.move(0, 0);
  await page.mouse.move(1, 1); // two moves, so that hover effects end
  await atRest(page);
  for (const frame of page.frames()) await frame.evaluate(asUsual(home)); // a question is in one of its own
  const file = join(projectRoot, path);
  mkdirSync(dirname(file), { recursive: true });
  const png = await part.screenshot({ animations: 'disabled' });
  await hasAll(); // still
  const image = path.endsWith('.webp') ? await webp(png, page.context()) : png;
  writeFileSync(file, image);
  console.log(`${path}: ${(image.length / 1024).toFixed(0)} KB`);
}

/** The browser has an encoder. */
async function webp(png: Buffer, browser: BrowserContext): Promise<Buffer> {
  const page = await browser.newPage();
  const url: string = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', ${WEBP_QUALITY});
  })()`);
  await page.close();
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

/**
 * A script that shows what a usual machine would: another home directory than the temporary one, another Node than the
 * repository's, and no host in a question, which the headless VS Code asks as a remote one does.
 */
const asUsual = (home: string): string => `{
  const root = ${JSON.stringify(projectRoot)}.replaceAll(/[.*+?^$\{}()|[\\]\\\\]/g, '\\\\$&');
  const node = new RegExp(root + '/[^" ]*/node(?!\\\\w)', 'g');
  const remote = / on the remote machine \\(127\\.0\\.0\\.1[^)]*\\)/;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data } = texts.currentNode;
    const usual = data.replaceAll(${JSON.stringify(home)}, '/home/you').replaceAll(node, '/usr/local/bin/node').replace(remote, '');
    if (usual !== data) texts.currentNode.data = usual;
  }
  for (const input of document.querySelectorAll('input[placeholder*="127.0.0.1"]'))
    input.placeholder = input.placeholder.replace(remote, '').replace(/\\? .*127\\.0\\.0\\.1.*/, '?');
}`;
