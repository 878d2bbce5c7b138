import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isOtherOutput, operation, ReportFile, type OtherOutput } from '#platform/operation.ts';
import { row } from '#platform/http/row.ts';
import { closedObject } from '#platform/schema.ts';
import { additionalRows, specifiedRows } from '../src/tables/api.ts';
import { openTestServer } from './test-server.ts';

/** Every kind of file that a row of the API declares, with each of its media types. */
const files = [...specifiedRows, ...additionalRows].flatMap(
  ({ method, path: pattern, operation: { output } }) =>
    Object.values(output).flatMap((each) => {
      if (each === null || !isOtherOutput(each) || each.kind === 'redirect' || each.kind === 'document')
        return [];
      const { media_types } = each as { readonly media_types: readonly string[] };
      return media_types.map((media_type) => ({
        name: `${method} ${pattern} ${media_type}`,
        output: each,
        media_type,
      }));
    }),
);

/** Returns a file as the operations of its kind do. */
function buildBody({ kind }: OtherOutput, media_type: string): unknown {
  const made = { media_type, filename: 'made.txt', content: 'made' };
  if (kind === 'report') return new ReportFile(made);
  return kind === 'stream'
    ? {
        ...made,
        chunks: (async function* send() {
          yield 'made';
        })(),
      }
    : made;
}

test('the name of every file of the API begins with sandbox- in a sandbox, and in no real service', async () => {
  expect(files.length).toBeGreaterThan(10);
  const rows = files.map(({ name, output, media_type }, index) =>
    row(
      'GET',
      `/files/${index}`,
      'public',
      operation({
        name: 'test.sendFile',
        summary: name,
        who: 'anyone',
        input: closedObject({}),
        output: { 200: output },
        refuses: [],
        run: async () => buildBody(output, media_type) as never,
      }),
    ),
  );
  for (const [TESSERA_SANDBOX, prefix] of [
    ['on', 'sandbox-'],
    ['off', ''],
  ] as const) {
    const { server } = await openTestServer(rows, { TESSERA_SANDBOX });
    for (const [index, { name }] of files.entries()) {
      const { statusCode, headers } = await server.inject({ url: `/api/v1/files/${index}` });
      expect([name, statusCode, headers['content-disposition']]).toEqual([
        name,
        200,
        `attachment; filename="${prefix}made.txt"`,
      ]);
    }
  }
});

test('pages, documents and protocols name files by the same functions, whose names the one place in the middle marks', () => {
  const src = path.resolve(import.meta.dirname, '../src');
  const naming = globSync('**/*.ts', { cwd: src })
    .filter((each) => !each.endsWith('.test.ts'))
    .filter((each) => readFileSync(path.join(src, each), 'utf8').includes("'content-disposition'"));
  expect(naming.toSorted()).toEqual([
    'modules/credentials/verify-page/verify-page.ts',
    'platform/http/attachment.ts',
    'platform/http/headers.ts',
  ]);
});
