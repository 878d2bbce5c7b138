import { createRequire } from 'node:module';
import { openSync, type Font } from 'fontkit';
import PdfDocument from 'pdfkit';
import { findDarkRuns, buildQrCode } from '#lib/qr-code.ts';
import type { Fact, Verdict } from './verdict.ts';
import { formatCheckTime, colours, removeDirectionOverrides, type PageContext } from './verify-html.ts';

const { light } = colours;
const margin_points = 56;
const label_points = 150;
const qr_points = 110;

type Pdf = InstanceType<typeof PdfDocument>;
/** A document being written: its root in the structure that screen readers follow, and whether a character had to be replaced. */
type Paper = { readonly pdf: Pdf; readonly root: PDFKit.PDFStructureElement; replaced: boolean };

/**
 * The verify page on paper: the same words and facts, A4, tagged for screen readers (as PDF/UA-1 asks), its fonts inside. A character that the font
 * does not have stands as �, and the document says so.
 */
export function renderVerifyPdf(verdict: Verdict, frame: PageContext): Promise<Buffer> {
  const pdf = createDocument(verdict, frame);
  const written = collectBytes(pdf);
  const paper: Paper = { pdf, root: pdf.struct('Document'), replaced: false };
  pdf.addStructure(paper.root);
  const { tone, headline, explanation, facts, checks } = verdict;
  writeService(paper, frame);
  writeHeadline(paper, headline, light[tone]);
  for (const sentence of explanation) writeSentence(paper, sentence);
  if (facts) writeRows(paper, facts.heading, facts.rows);
  if (checks.length > 0) writeRows(paper, 'What was checked', checks);
  if (frame.address !== undefined) writeAddress(paper, frame.address);
  writeSentence(
    paper,
    `${formatCheckTime(frame)} This paper tells how things stood then; only the address tells how they stand now.`,
  );
  if (paper.replaced)
    writeSentence(
      paper,
      'Characters that this document’s font does not have stand as �. The address shows them.',
    );
  paper.root.end();
  pdf.end();
  return written;
}

function writeService(paper: Paper, { publicUrl }: PageContext): void {
  const from = replaceMissingGlyphs(paper, `Credential check by Tessera at ${new URL(publicUrl).host}`);
  drawTagged(paper, 'P', (pdf) => {
    pdf.font('plain').fontSize(10).fillColor(light.quiet).text(from, margin_points, margin_points);
  });
}

function writeHeadline(paper: Paper, headline: string, colour: string): void {
  drawTagged(paper, 'H1', (pdf) => {
    pdf.moveDown(0.4).font('bold').fontSize(22).fillColor(colour).text(headline);
  });
}

function writeHeading(paper: Paper, heading: string, room_points: number): void {
  const { pdf } = paper;
  if (pdf.y + room_points > pdf.page.height - margin_points) pdf.addPage();
  drawTagged(paper, 'H2', () => {
    pdf.moveDown(1.2).font('bold').fontSize(13).fillColor(light.ink).text(heading, margin_points);
  });
}

function writeSentence(paper: Paper, sentence: string): void {
  const text = replaceMissingGlyphs(paper, sentence);
  drawTagged(paper, 'P', (pdf) => {
    pdf.moveDown(0.5).font('plain').fontSize(11).fillColor(light.ink).text(text, margin_points);
  });
}

function writeRows(paper: Paper, heading: string, rows: readonly Fact[]): void {
  writeHeading(paper, heading, 110);
  for (const { label, value } of rows) writeRow(paper, label, replaceMissingGlyphs(paper, value));
}

function writeRow(paper: Paper, label: string, value: string): void {
  const { pdf } = paper;
  const width = pdf.page.width - 2 * margin_points - label_points;
  const height = pdf.font('plain').fontSize(11).heightOfString(value, { width });
  if (pdf.y + height > pdf.page.height - margin_points) pdf.addPage();
  drawTagged(paper, 'P', () => {
    const top = pdf.y + 6;
    pdf.fillColor(light.quiet).text(label, margin_points, top, { width: label_points - 12 });
    const bottom = pdf.y;
    pdf.fillColor(light.ink).text(value, margin_points + label_points, top, { width });
    pdf.y = Math.max(bottom, pdf.y);
    pdf.x = margin_points;
  });
}

function writeAddress(paper: Paper, address: string): void {
  const { pdf, root } = paper;
  writeHeading(paper, 'Check it again', qr_points + 60);
  const top = pdf.y + 8;
  const alt = 'QR code with the address of the verify page';
  const figure = pdf.struct('Figure', { alt });
  figure.add(() => drawQr(pdf, address, top));
  root.add(figure);
  figure.end();
  const text = replaceMissingGlyphs(paper, address);
  drawTagged(paper, 'P', () => {
    pdf.font('plain').fontSize(11).fillColor(light.ink);
    pdf.text('Scan the code or open', margin_points + qr_points + 16, top + 20).text(text);
    pdf.y = top + qr_points + 6;
  });
}

/** Draws something as one element of the structure. */
function drawTagged({ pdf, root }: Paper, tag: string, draw: (pdf: Pdf) => void): void {
  root.add(pdf.struct(tag, {}, () => draw(pdf)));
}

/** The text in what the plain font has glyphs for, without direction overrides. */
function replaceMissingGlyphs(paper: Paper, text: string): string {
  const font = readFonts().plain as unknown as Font;
  return Array.from(removeDirectionOverrides(text), (character) => {
    if (character === '\n' || font.hasGlyphForCodePoint(character.codePointAt(0)!)) return character;
    paper.replaced = true;
    return '�';
  }).join('');
}

/** The two fonts, read once: reading them takes some ten times as long as writing a page. pdfkit takes them, and its types do not say so. */
let fonts:
  | { readonly plain: PDFKit.Mixins.PDFFontSource; readonly bold: PDFKit.Mixins.PDFFontSource }
  | undefined;

function readFonts() {
  return (fonts ??= { plain: readFont('DejaVuSans.ttf'), bold: readFont('DejaVuSans-Bold.ttf') });
}

function readFont(name: string): PDFKit.Mixins.PDFFontSource {
  const file = createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}`);
  return openSync(file) as unknown as PDFKit.Mixins.PDFFontSource;
}

function createDocument({ headline }: Verdict, { checked_at }: PageContext): Pdf {
  const { plain, bold } = readFonts();
  const options = {
    size: 'A4',
    margin: margin_points,
    lang: 'en',
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    font: plain,
    info: { Title: `${headline} · Tessera`, Creator: 'Tessera', CreationDate: checked_at },
  } as const;
  // The types know neither this subset nor fonts that are open already.
  const pdf = new PdfDocument(options as unknown as PDFKit.PDFDocumentOptions);
  pdf.registerFont('plain', plain);
  pdf.registerFont('bold', bold);
  return pdf.font('plain');
}

function drawQr(pdf: Pdf, address: string, top: number): void {
  const code = buildQrCode(address);
  const module_points = qr_points / code.length;
  for (const { row, column, length } of findDarkRuns(code))
    pdf.rect(
      margin_points + column * module_points,
      top + row * module_points,
      length * module_points,
      module_points,
    );
  pdf.fill('#000000');
}

function collectBytes(pdf: Pdf): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
}
