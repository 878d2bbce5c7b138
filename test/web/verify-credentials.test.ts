import { deflateSync, crc32 } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  addDidWeb,
  buildForeignCredential,
  createForeignKey,
  startForeignServer,
} from '#test/modules/foreign-issuer.ts';
import { listFaults } from './axe.ts';
import { expectNoOverflow } from './expect-no-overflow.ts';
import { canBrowse } from './open-browser.ts';
import { startBrowsedApp } from './start-browsed-app.ts';

const key = createForeignKey();

/** A picture with a credential baked in (Open Badges 3.0, section 5.3.1). */
function buildBakedPng(credential: string): Buffer {
  const keyword = Buffer.from('openbadgecredential\0\0\0\0\0');
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    buildChunk('IHDR', header),
    buildChunk('iTXt', Buffer.concat([keyword, Buffer.from(credential)])),
    buildChunk('IDAT', deflateSync(Buffer.alloc(4))),
    buildChunk('IEND', Buffer.alloc(0)),
  ]);
}

function buildChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

const buildBakedSvg = (credential: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:openbadges="https://purl.imsglobal.org/ob/v3p0"><openbadges:credential verify="${credential}"/><script>alert(1)</script></svg>`,
  );

async function dropText(page: Page, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.setData('text/plain', ${JSON.stringify(text)}); return data; })()`,
  );
  await page.dispatchEvent('form', 'drop', { dataTransfer: data });
}

test.runIf(canBrowse)(
  'a credential is pasted, dropped or chosen as a file, and its verdict needs no reading',
  { timeout: 240_000 },
  async () => {
    const { app, url, browser } = await startBrowsedApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
    const server = await startForeignServer();
    const { did, kid } = addDidWeb(server, key);
    const token = key.signJwt({ typ: 'vc+jwt', kid }, buildForeignCredential(did));
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (each) => each.type() === 'error' && problems.push(each.text()));
    const open = () => page.goto(`${url}/verify`);
    const readHeadline = () => page.locator('.verdict h1').innerText();
    const genuine = `Genuine. ${server.host} says this.`;

    await open();
    expect(await listFaults(page)).toEqual([]);
    await expectNoOverflow(page);
    await page.fill('textarea', token);
    await page.click('text=Check it');
    expect(await readHeadline()).toBe(genuine);
    await page.click('summary');
    expect(await listFaults(page)).toEqual([]);
    await expectNoOverflow(page);

    await open();
    await Promise.all([page.waitForURL('**/verify'), dropText(page, token)]);
    expect(await readHeadline()).toBe(genuine);

    const files = [
      { name: 'badge.png', mimeType: 'image/png', buffer: buildBakedPng(token) },
      { name: 'badge.svg', mimeType: 'image/svg+xml', buffer: buildBakedSvg(token) },
      { name: 'credential.txt', mimeType: 'text/plain', buffer: Buffer.from(`\n${token}\n`) },
    ];
    for (const file of files) {
      await open();
      await page.setInputFiles('[data-file]', file);
      await page.waitForSelector('.verdict');
      expect([file.name, await readHeadline()]).toEqual([file.name, genuine]);
    }
    await open();
    await page.setInputFiles('[data-file]', {
      name: 'cat.png',
      mimeType: 'image/png',
      buffer: Buffer.from('no picture'),
    });
    await page.waitForSelector('[data-fault]:not([hidden])');
    expect(await page.locator('[data-fault]').innerText()).toBe('This file cannot be read.');

    await page.fill('textarea', `${token.slice(0, -4)}AAAA`);
    await page.click('text=Check it');
    await page.click('summary');
    expect(await listFaults(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: 'active' });
    const readStyle = (selector: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`);
    expect(await readStyle('.verdict svg', 'stroke')).toBe(await readStyle('h1', 'color'));
    expect(problems).toEqual([]);
    expect(app.platform.config.publicUrl).toBe(url);
  },
);
