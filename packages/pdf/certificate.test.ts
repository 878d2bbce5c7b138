import { expect, test } from 'vitest';
import { finishPaper, openPaper, writeCertificate, type Certificate } from './index.ts';

const look = {
  mark: [{ path: 'M3 3h18v18z', colour: '#14665a' }],
  accent: '#14665a',
  stones: ['#14665a', '#e3dccd', '#b4532f'],
} as const;

const certificate: Certificate = {
  origin: 'A credential signed by a service',
  headline: 'Statement of an organisation',
  holder: { prompt: 'held by', name: 'Ada Lind' },
  says: [{ label: 'Statement', value: 'She kept the archive in order.' }],
  terms: [
    { label: 'Who vouches for it', value: 'Harbour Health' },
    { label: 'Issued on', value: '2 March 2026' },
  ],
  address: 'https://tessera.example/verify/1',
  code: { prompt: 'Scan to check it', alt: 'QR code' },
  notes: ['A copy.'],
};

async function render(overrides: Partial<Certificate> = {}) {
  const about = { title: 'A test', creator: 'Tests', created_at: new Date('2026-03-02T09:00:00Z') };
  const paper = openPaper({ ...about, layout: 'landscape' });
  const { pdf } = paper;
  const written: string[] = [];
  const write = pdf.text.bind(pdf) as (...parts: unknown[]) => typeof pdf;
  pdf.text = (...parts: unknown[]) => {
    written.push(String(parts[0]));
    return write(...parts);
  };
  writeCertificate(paper, { ...certificate, ...overrides }, look);
  const bytes = await finishPaper(paper);
  const content = bytes.toString('latin1');
  const pages = content.match(/\/Type \/Page\b(?!s)/g)!.length;
  return { bytes, content, pages, written, replaced: paper.replaced };
}

test('a certificate is one tagged page, and says who, what, since when and where it is checked', async () => {
  const { content, pages, written } = await render();
  expect(pages).toBe(1);
  for (const mark of ['/Marked true', '/StructTreeRoot', 'pdfuaid', '/S /H1', '/S /Figure'])
    expect(content).toContain(mark);
  for (const words of ['Ada Lind', 'She kept the archive in order.', 'Harbour Health', '2 March 2026'])
    expect(written).toContain(words);
});

test.each<[string, Partial<Certificate>]>([
  ['without a holder', { holder: undefined }],
  ['with a long name', { holder: { prompt: 'held by', name: 'Wolfeschlegelsteinhausen '.repeat(8) } }],
  ['with names in other scripts', { holder: { prompt: 'held by', name: '王小明 · Ελένη · Łukasz · Zoë' } }],
  ['with the longest statement', { says: [{ label: 'Statement', value: '東'.repeat(500) }] }],
  ['with one long word', { terms: [{ label: 'Who vouches for it', value: 'W'.repeat(200) }] }],
])('a certificate %s is one page, with nothing left out', async (_, overrides) => {
  const { pages, written, replaced } = await render(overrides);
  const [{ value } = { value: '' }] = overrides.says ??
    overrides.terms ?? [{ value: overrides.holder?.name ?? '' }];
  const removeSpaces = (text: string) => text.replaceAll(' ', '');
  expect([pages, replaced]).toEqual([1, false]);
  expect(removeSpaces(written.join(''))).toContain(removeSpaces(value));
});

test('a character that no font has is reported, and each address has a frame of its own', async () => {
  expect((await render({ headline: 'Linear B: \u{10000}' })).replaced).toBe(true);
  const [one, same, other] = [
    await render(),
    await render(),
    await render({ address: 'https://other.example' }),
  ];
  expect(one.bytes.length).toBe(same.bytes.length);
  expect(one.bytes.equals(other.bytes)).toBe(false);
});
