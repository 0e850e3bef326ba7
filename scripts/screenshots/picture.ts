/** Takes pictures of a window when all in it has come to rest. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { projectRoot } from '../../test/host/paths.ts';
import type { PictureWindow } from './window.ts';

/** From 0 to 1; below, letters get blurred. */
const WEBP_QUALITY = 0.75;

/** @param path relative to the repository: a PNG, or a WebP, which is a third of its size */
export async function picture({ page, home }: PictureWindow, path: string): Promise<void> {
  await page.mouse.move(0, 0);
  await delay(1_000);
  await page.evaluate(withoutHome(home));
  const file = join(projectRoot, path);
  mkdirSync(dirname(file), { recursive: true });
  const png = await page.screenshot({ animations: 'disabled' });
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

/** A script that shows a usual home directory where the temporary one is shown. */
const withoutHome = (home: string): string => `{
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data } = texts.currentNode;
    if (data.includes(${JSON.stringify(home)})) texts.currentNode.data = data.replaceAll(${JSON.stringify(home)}, '/home/you');
  }
}`;
