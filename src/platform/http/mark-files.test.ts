import { expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { readPdfText } from '#test/read-pdf-text.ts';

const app = await startApp({ TESSERA_SANDBOX: 'on' });
const real = await startApp();

/** Downloads a file of each kind: its name, and its bytes. */
async function download(each: TestApp) {
  const { token, org_id } = await each.registerOrgAdmin();
  const paths = [
    `/exports/org/${org_id}/matches?format=csv`,
    `/exports/org/${org_id}/matches?format=xlsx`,
    `/orgs/me/balance/statement?format=csv`,
    `/orgs/me/balance/statement?format=pdf`,
  ];
  const files = [];
  for (const path of paths) {
    const reply = await each.server.inject({
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${token}` },
    });
    const name = /filename="([^"]+)"/.exec(String(reply.headers['content-disposition']))?.[1];
    files.push({ status: reply.statusCode, name, bytes: reply.rawPayload });
  }
  return files;
}

test('every file of a sandbox says so by its name, a PDF on every page, and none of a real service does', async () => {
  const [made, actual] = [await download(app), await download(real)];
  expect([...made, ...actual].map(({ status }) => status)).toEqual(Array(8).fill(200));
  for (const [index, { name }] of made.entries()) expect(name).toBe(`sandbox-${actual[index]!.name}`);
  const [pdf, actualPdf] = [made[3]!.bytes, actual[3]!.bytes];
  const note = 'Sandbox: the people, payments and time in this document are made up.';
  const pages = [...pdf.toString('latin1').matchAll(/\/Type \/Page\b/g)].length;
  expect(readPdfText(pdf).split(note).length - 1).toBe(pages);
  expect(pages).toBeGreaterThan(0);
  expect(readPdfText(actualPdf)).not.toContain('Sandbox');
});
