import { globSync, readFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type * as Fixtures from '../../../test/fixtures/pdf-renderers.ts';
import { startApp } from '#test/harness.ts';
import { locateRenderer } from '@tessera/pdf/render-pdf';
import { renderPdf } from './render-pdf.ts';

const app = await startApp();

const file = new URL('../../../test/fixtures/pdf-renderers.ts', import.meta.url);
const writeThread = locateRenderer<typeof Fixtures.writeThread>(file, 'writeThread');
const fail = locateRenderer<typeof Fixtures.fail>(file, 'fail');
const endThread = locateRenderer<typeof Fixtures.endThread>(file, 'endThread');

const readThread = async () => (await renderPdf(app.platform, writeThread, 'thread')).toString();

test('a PDF is rendered in a thread of its own, which several share', async () => {
  const [one, other] = [await readThread(), await readThread()];
  expect(one).toMatch(/^thread \d+$/);
  expect(one).not.toBe(`thread ${threadId}`);
  expect(other).toBe(one);
});

test('a renderer that throws fails with its reason, and one that ends the thread fails alone', async () => {
  await expect(renderPdf(app.platform, fail, 'no ink')).rejects.toThrow('no ink');
  const before = await readThread();
  await expect(renderPdf(app.platform, endThread)).rejects.toThrow('the thread that renders PDFs ended');
  expect(await readThread()).not.toBe(before);
});

test('when twenty wait, another one is refused', async () => {
  const waiting = Array.from({ length: 20 }, readThread);
  await expect(readThread()).rejects.toMatchObject({ code: 'overloaded', status: 503 });
  expect(new Set(await Promise.all(waiting)).size).toBe(1);
});

/** The files that load the library of PDFs, or a file that does. */
const libraryFiles =
  /\/(?:pdf\/(?:open-paper|receipt)|verify-pdf|write-details|draw-ratios|render-[a-z-]*(?:report|statement|credential-pdf|results-pdf))\.ts$/;

test('only files that run in that thread load the library of PDFs', () => {
  const root = new URL('../../../', import.meta.url).pathname;
  const sources = globSync('src/**/*.ts', { cwd: root }).filter(
    (name) => !name.endsWith('.test.ts') && !libraryFiles.test(name),
  );
  const loading = sources.filter((name) => {
    const text = readFileSync(root + name, 'utf8').replaceAll(/import type [^;]*;/g, '');
    const imported = [...text.matchAll(/(?:from |import\()'([^']+)'/g)].map(([, address]) =>
      address!.replace('./', '/').replace('#platform', '/platform'),
    );
    return imported.some((address) => libraryFiles.test(address) || address === '@tessera/pdf');
  });
  expect(sources.length).toBeGreaterThan(500);
  expect(loading).toEqual([]);
});
