import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { unzipArchive } from '#test/modules/rights.ts';
import { buildArchive } from './archive.ts';

const options = {
  member_id: 'm',
  exported_at: new Date('2026-03-02T09:00:00Z'),
  bytes_max: 1_000_000,
};

const sections: readonly PersonalDataRows[] = [
  {
    name: 'members.member',
    rows: [{ display_name: '=HYPERLINK("x")', tags: ['a', 'b'], at: options.exported_at }],
  },
  { name: 'traits.answers', rows: [] },
  { name: 'traits.vectors', rows: [{ version: 1 }, { version: 2, note: 'late' }] },
];

test('contains a JSON file and a workbook with every section, and one CSV for each section that is not empty', async () => {
  const files = await unzipArchive(await buildArchive(sections, options));
  expect(Object.keys(files).toSorted()).toEqual([
    'csv/members.member.csv',
    'csv/traits.vectors.csv',
    'tessera-data.json',
    'tessera-data.xlsx',
  ]);
  expect(JSON.parse(files['tessera-data.json']!)).toEqual({
    member_id: 'm',
    exported_at: '2026-03-02T09:00:00.000Z',
    data: {
      'members.member': [
        { display_name: '=HYPERLINK("x")', tags: ['a', 'b'], at: '2026-03-02T09:00:00.000Z' },
      ],
      'traits.answers': [],
      'traits.vectors': [{ version: 1 }, { version: 2, note: 'late' }],
    },
  });
  expect(files['csv/traits.vectors.csv']).toBe('version,note\r\n1,\r\n2,late\r\n');
  expect(parse(files['csv/members.member.csv']!)).toEqual([
    ['display_name', 'tags', 'at'],
    [`'=HYPERLINK("x")`, '["a","b"]', '2026-03-02T09:00:00.000Z'],
  ]);
});

test('the JSON file parses to the original data, for any data', async () => {
  const anySections = fc.array(
    fc.record({
      name: fc.stringMatching(/^[a-z]{1,8}\.[a-z]{1,8}$/),
      rows: fc.array(
        fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true }),
        { maxLength: 4 },
      ),
    }),
    { maxLength: 4 },
  );
  const distinct = anySections.filter((all) => new Set(all.map(({ name }) => name)).size === all.length);
  await fc.assert(
    fc.asyncProperty(distinct, async (all) => {
      const files = await unzipArchive(await buildArchive(all, options));
      const expected = Object.fromEntries(all.map(({ name, rows }) => [name, rows]));
      expect(JSON.parse(files['tessera-data.json']!).data).toEqual(JSON.parse(JSON.stringify(expected)));
    }),
    { numRuns: 30 },
  );
});

test('rejects an archive that grows beyond the limit', async () => {
  const noise = Array.from({ length: 500 }, (_, index) => ({ text: `${Math.sin(index)}${Math.cos(index)}` }));
  const large = [{ name: 'a.b', rows: noise }];
  await expect(buildArchive(large, { ...options, bytes_max: 5_000 })).rejects.toThrow(
    'larger than 5000 bytes',
  );
});

test('rejects with the error of a file that cannot be written', async () => {
  const broken: Record<string, unknown> = {};
  Object.defineProperty(broken, 'x', {
    enumerable: true,
    get: () => {
      throw new Error('unreadable');
    },
  });
  const failing = buildArchive([{ name: 'a.b', rows: [broken] }], options);
  await expect(failing).rejects.toThrow('unreadable');
});
