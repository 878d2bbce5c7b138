import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  collectRows,
  onetAttribution,
  onetLimits,
  OnetFormatError,
  readOccupations,
  readWorkStyles,
} from './onet-text.ts';

const sample = new URL('../../../../demo/onet-sample/', import.meta.url);
const occupationText = readFileSync(new URL('Occupation Data.txt', sample), 'utf8');
const workStyleText = readFileSync(new URL('Work Styles.txt', sample), 'utf8');
const [header = '', firstRow = ''] = workStyleText.split('\n');

async function catchFormatError(rows: AsyncIterable<unknown>): Promise<OnetFormatError> {
  const error: unknown = await collectRows(rows).catch((error: unknown) => error);
  if (error instanceof OnetFormatError) return error;
  throw new Error('expected an OnetFormatError');
}

function replaceCell(column: string, value: string): string {
  return `${header}\n${firstRow.split('\t').with(header.split('\t').indexOf(column), value).join('\t')}`;
}

async function* streamLines(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

function* yieldEndlessLines(): Generator<string> {
  yield header;
  for (;;) yield '';
}

describe('occupations', () => {
  it('are read from the published format', async () => {
    const occupations = await collectRows(readOccupations(occupationText));
    expect(occupations).toHaveLength(6);
    expect(occupations[1]).toEqual({
      onet_code: '99-1002.00',
      title: 'Data Platform Developers',
      description: occupationText.split('\n')[2]?.split('\t')[2],
    });
  });

  it('are the same from a text, from lines and from a stream of lines, with a byte order mark and with Windows line endings', async () => {
    const expected = await collectRows(readOccupations(occupationText));
    const lines = occupationText.split('\n');
    for (const form of [
      lines,
      streamLines(lines),
      `\uFEFF${occupationText}`,
      occupationText.replaceAll('\n', '\r\n'),
    ]) {
      expect(await collectRows(readOccupations(form))).toEqual(expected);
    }
  });

  it('are read by column name, in any order and with additional columns', async () => {
    const text = 'Title\tExtra\tDescription\tO*NET-SOC Code\nWeavers\tx\tWeave.\t99-2001.00\n';
    expect(await collectRows(readOccupations(text))).toEqual([
      { onet_code: '99-2001.00', title: 'Weavers', description: 'Weave.' },
    ]);
  });

  it('contain quotation marks unchanged, because the format has no quoting', async () => {
    const text = 'O*NET-SOC Code\tTitle\tDescription\n99-2001.00\t"Weavers"\tSay "hello.\n';
    const [row] = await collectRows(readOccupations(text));
    expect(row).toMatchObject({
      title: '"Weavers"',
      description: 'Say "hello.',
    });
  });
});

describe('work styles', () => {
  it('are read with their importance and standard error', async () => {
    const ratings = await collectRows(readWorkStyles(workStyleText));
    expect(ratings).toHaveLength(96);
    expect(ratings[0]).toEqual({
      onet_code: '99-1001.00',
      scale: 'IM',
      work_style: 'Achievement/Effort',
      rating: 3.6,
      standard_error: 0.12,
      suppressed: false,
    });
  });

  it('have no standard error if the file says n/a, and are marked if the file recommends to suppress them', async () => {
    const ratings = await collectRows(readWorkStyles(workStyleText));
    expect(ratings.filter((rating) => rating.standard_error === undefined)).toHaveLength(16);
    expect(ratings.filter((rating) => rating.suppressed).map((rating) => rating.work_style)).toEqual([
      'Innovation',
    ]);
  });

  it('exclude other scales and rows without a value', async () => {
    for (const text of [
      replaceCell('Scale ID', 'LV'),
      replaceCell('Data Value', 'n/a'),
      replaceCell('Data Value', ''),
    ]) {
      expect(await collectRows(readWorkStyles(text))).toEqual([]);
    }
  });
});

/** The layout from release 30: 21 styles with an impact, ranks among them, and no standard errors. */
const impactText = [
  'O*NET-SOC Code\tElement ID\tElement Name\tScale ID\tData Value\tDate\tDomain Source',
  '99-1001.00\t1.D.1.a\tInnovation\tWI\t-0.62\t08/2025\tAnalyst',
  '99-1001.00\t1.D.1.a\tInnovation\tDR\t0\t08/2025\tAnalyst',
  '99-1001.00\t1.D.4.b\tSelf-Control\tWI\t2.87\t08/2025\tAnalyst',
].join('\n');

describe('the impacts of work styles', () => {
  it('are read with their sign, without ranks and without standard errors', async () => {
    const shared = { onet_code: '99-1001.00', scale: 'WI', standard_error: undefined, suppressed: false };
    expect(await collectRows(readWorkStyles(impactText))).toEqual([
      { ...shared, work_style: 'Innovation', rating: -0.62 },
      { ...shared, work_style: 'Self-Control', rating: 2.87 },
    ]);
  });

  it.each([
    [
      'a style of the other layout',
      impactText.replace('Self-Control', 'Leadership'),
      4,
      3,
      'one of the 21 work styles',
    ],
    [
      'an impact below the scale',
      impactText.replace('-0.62', '-3.01'),
      2,
      5,
      'must be a number from -3 to 3',
    ],
    [
      'an importance among impacts',
      impactText.replace('WI\t2.87', 'IM\t2.87'),
      4,
      4,
      'must be WI in all rows',
    ],
  ])('are rejected with line and column: %s', async (_, text, line, column, reason) => {
    const error = await catchFormatError(readWorkStyles(text));
    expect(error).toMatchObject({ line, column });
    expect(error.message).toContain(reason);
  });
});

describe('a file that is not in the published format', () => {
  it.each([
    ['an empty file', '', 1, 1, 'the file is empty'],
    [
      'a header without a column',
      header.replace('Data Value', 'Value'),
      1,
      2,
      'the header has no column "Data Value"',
    ],
    [
      'a row with one column too few',
      `${header}\n${firstRow.replace(/\t[^\t]*$/, '')}`,
      2,
      12,
      'the row has 11 columns',
    ],
    ['a row with one column too many', `${header}\n\n${firstRow}\tx`, 3, 13, 'the row has 13 columns'],
    [
      'an invalid code',
      replaceCell('O*NET-SOC Code', '11-1011'),
      2,
      1,
      'must look like 11-1011.00, not "11-1011"',
    ],
    [
      'a style that is not in the crosswalk',
      replaceCell('Element Name', 'Charm'),
      2,
      3,
      'must be one of the 16 work styles',
    ],
    ['a value above the scale', replaceCell('Data Value', '5.01'), 2, 5, 'must be a number from 1 to 5'],
    ['a value that is not a number', replaceCell('Data Value', '4,2'), 2, 5, 'not "4,2"'],
    ['a negative error', replaceCell('Standard Error', '-0.1'), 2, 7, 'must be a number from 0 to 5'],
    [
      'a line that is too long',
      `${header}\n${'x'.repeat(onetLimits.line_characters + 1)}`,
      2,
      1,
      'the line is too long',
    ],
  ])('is rejected with file, line and column: %s', async (_, text, line, column, reason) => {
    const error = await catchFormatError(readWorkStyles(text, 'styles.txt'));
    expect(error).toMatchObject({ file: 'styles.txt', line, column });
    expect(error.message).toContain(`styles.txt, line ${line}, column ${column}: `);
    expect(error.message).toContain(reason);
  });

  it('is rejected if it has more rows than any O*NET file', async () => {
    expect((await catchFormatError(readWorkStyles(yieldEndlessLines()))).line).toBe(onetLimits.rows + 1);
  });

  it('is rejected if a text is missing', async () => {
    const text = 'O*NET-SOC Code\tTitle\tDescription\n99-2001.00\t\tWeave.\n';
    expect(await catchFormatError(readOccupations(text))).toMatchObject({ line: 2, column: 2 });
  });
});

describe('the attribution', () => {
  it('names the source, the licence and the trademark, and states that the data was modified', () => {
    for (const part of ['O*NET', 'USDOL/ETA', 'CC BY 4.0', 'trademark', 'modified'])
      expect(onetAttribution).toContain(part);
  });
});
