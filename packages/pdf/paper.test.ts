import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  drawMark,
  finishPaper,
  openPaper,
  writeAddress,
  writeHeadline,
  writeRows,
  writeSentence,
} from './paper.ts';

const open = () =>
  openPaper({ title: 'A test', creator: 'Tests', created_at: new Date('2026-03-02T09:00:00Z') });
const countPages = (bytes: Buffer) => bytes.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length;

test('a document is tagged for screen readers, and goes on to further pages', async () => {
  const paper = open();
  drawMark(paper, [{ path: 'M3 3h18v18z', colour: '#14665a' }]);
  writeHeadline(paper, 'A long list');
  const rows = Array.from({ length: 80 }, (_, index) => ({
    label: `Row ${index}`,
    value: 'words '.repeat(20),
  }));
  writeRows(paper, 'Rows', rows);
  writeAddress(paper, 'https://tessera.example/verify/1', {
    heading: 'Check',
    prompt: 'Open',
    alt: 'QR code',
  });
  const bytes = await finishPaper(paper);
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  for (const mark of ['/Marked true', '/StructTreeRoot', 'pdfuaid'])
    expect(bytes.toString('latin1')).toContain(mark);
  expect(countPages(bytes)).toBeGreaterThan(3);
  expect(paper.replaced).toBe(false);
});

test.each(['9', 'd'])('an address with an id is in one line, whichever its digits are: %s', async (digit) => {
  const id = '00000000-0000-4000-8000-000000000000'.replaceAll('0', digit);
  for (const host of ['localhost:8420', 'tessera.municipality-of-rotterdam.example']) {
    const paper = open();
    const { pdf } = paper;
    const heights: number[] = [];
    const write = pdf.text.bind(pdf) as (...parts: unknown[]) => typeof pdf;
    pdf.text = (...parts: unknown[]) => {
      const [text, , top] = parts;
      const written = write(...parts);
      if (String(text).endsWith(id)) heights.push((pdf.y - Number(top)) / pdf.currentLineHeight(true));
      return written;
    };
    writeAddress(paper, `https://${host}/verify/${id}`, { heading: 'Check', prompt: 'Open', alt: 'QR code' });
    // A second line would be below the first.
    expect(heights.map(Math.round)).toEqual([1]);
    await finishPaper(paper);
  }
});

test('any text becomes a document, and characters that no font has are reported', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (text) => {
      const paper = open();
      writeSentence(paper, text);
      expect((await finishPaper(paper)).length).toBeGreaterThan(1_000);
    }),
    { numRuns: 25 },
  );
  const paper = open();
  writeSentence(paper, 'Linear B: \u{10000}');
  await finishPaper(paper);
  expect(paper.replaced).toBe(true);
});

test('a line break or a tab in a text is a space', async () => {
  const paper = open();
  writeRows(paper, 'Job', [{ label: 'Title', value: 'Night\r\n\tnurse\u2028' }]);
  await finishPaper(paper);
  expect(paper.replaced).toBe(false);
});

test.each([10, 40, 200])(
  'a heading is on the page on which its first value begins, of %i sentences',
  async (sentences) => {
    for (let left = 20; left <= 320; left += 20) {
      const paper = open();
      const { pdf } = paper;
      const pages = new Map<unknown, number>();
      const write = pdf.text.bind(pdf) as (...parts: unknown[]) => typeof pdf;
      pdf.text = (...parts: unknown[]) => {
        pages.set(parts[0], pdf.bufferedPageRange().count);
        return write(...parts);
      };
      pdf.y = pdf.page.height - 56 - left;
      writeRows(paper, 'Job', [{ label: 'Outcome', value: 'All is in order. '.repeat(sentences) }]);
      expect([left, pages.get('Job')]).toEqual([left, pages.get('Outcome')]);
      await finishPaper(paper);
    }
  },
);

test('a value that is longer than a page continues on the next ones, and what follows comes after it', async () => {
  const paper = open();
  writeRows(paper, 'Job', [
    { label: 'Outcome', value: 'All is in order. '.repeat(400) },
    { label: 'Status', value: 'Active' },
  ]);
  expect(paper.pdf.bufferedPageRange().count).toBe(2);
  await finishPaper(paper);
});
