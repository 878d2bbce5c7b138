import { workerData } from 'node:worker_threads';
import PdfDocument from 'pdfkit';
import { buildQrCode, findDarkRuns } from './qr-code.ts';
import { removeDirectionOverrides } from './remove-direction-overrides.ts';
import { headingFonts, splitByFont, type FontRun } from './fonts.ts';
import { openSource, selectFont, selectWholeFont } from './select-font.ts';

const margin_points = 56;
const label_points = 150;
const qr_points = 110;

/** The colours of text and of lines on paper, which are those of the pages. */
export const colours = { ink: '#1f1b16', quiet: '#62594c', line: '#e3dccd', accent: '#14665a' } as const;

export type Pdf = InstanceType<typeof PdfDocument>;

/** What holds for all documents of a thread. */
export type PdfSettings = {
  /** A sentence at the top of every page, and before the title of the document. */
  readonly page_note?: string | undefined;
};

const { page_note } = (workerData ?? {}) as PdfSettings;

/** A document in progress: the root of the structure that screen readers follow, and whether a character was replaced. */
export type Paper = {
  readonly pdf: Pdf;
  readonly root: PDFKit.PDFStructureElement;
  readonly bytes: Promise<Buffer>;
  replaced: boolean;
};

/** A label and its value, in a list of them. A value that is a step of a scale or a part of a whole is drawn as one, before its words. */
export type PaperRow = {
  readonly label: string;
  readonly value: string;
  readonly scale?: PaperScale;
  readonly part?: PaperPart;
};

/** A part of a whole, which reaches from one place to another, both from 0 to 1. */
export type PaperPart = { readonly from: number; readonly to: number };

/** A scale of few steps, of which so many are reached. Undefined if that is not known. */
export type PaperScale = { readonly steps: number; readonly reached: number | undefined };

/**
 * Opens a document of A4 pages, tagged for screen readers as PDF/UA-1 requires, with embedded fonts. A character that no font has becomes
 * �, and `replaced` is then true. Write to it from top to bottom, then call {@link finishPaper}.
 */
export function openPaper({
  title,
  creator,
  created_at,
  layout = 'portrait',
}: {
  readonly title: string;
  /** The name of the program, in the properties of the document. */
  readonly creator: string;
  readonly created_at: Date;
  readonly layout?: 'portrait' | 'landscape';
}): Paper {
  const [plain, bold] = [openSource('plain'), openSource('bold')];
  const options: PDFKit.PDFDocumentOptions = {
    size: 'A4',
    layout,
    margin: margin_points,
    lang: 'en',
    tagged: true,
    displayTitle: true,
    // So that pages can be numbered once their number is known.
    bufferPages: true,
    pdfVersion: '1.7',
    info: {
      Title: page_note === undefined ? title : `${page_note} ${title}`,
      Creator: creator,
      CreationDate: created_at,
    },
  };
  // pdfkit's types know neither this subset nor opened fonts.
  const untypedOptions: object = { subset: 'PDF/UA', font: plain };
  const pdf = new PdfDocument({ ...options, ...untypedOptions });
  pdf.registerFont('plain', plain);
  pdf.registerFont('bold', bold);
  pdf.registerFont('display', openSource('display'));
  pdf.font('plain');
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  return { pdf, root, bytes: collectBytes(pdf), replaced: false };
}

/** Numbers the pages at the bottom, by the words of `format`. Screen readers skip them. Call it last. */
export function writePageNumbers({ pdf }: Paper, format: (page: number, pages: number) => string): void {
  writeOnPages(pdf, (page, pages) => ({
    text: format(page, pages),
    place: pdf.page.height - margin_points + 16,
    align: 'right',
  }));
}

type PageLine = { readonly text: string; readonly place: number; readonly align: 'left' | 'right' };

/** Writes a line outside the margins of every page. */
function writeOnPages(pdf: Pdf, buildLine: (page: number, pages: number) => PageLine): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let index = 0; index < count; index++) {
    pdf.switchToPage(start + index);
    pdf.markContent('Artifact', { type: 'Pagination' });
    const { bottom } = pdf.page.margins;
    // Text below the margin would begin another page.
    pdf.page.margins.bottom = 0;
    pdf.font('plain').fontSize(9).fillColor(colours.quiet);
    const { text, place, align } = buildLine(index + 1, count);
    const width = pdf.page.width - 2 * margin_points;
    pdf.text(text, margin_points, place, { width, align, lineBreak: false });
    pdf.page.margins.bottom = bottom;
    pdf.endMarkedContent();
  }
}

/** Ends the document. @returns its bytes. */
export function finishPaper({ pdf, root, bytes }: Paper): Promise<Buffer> {
  if (page_note !== undefined) writeOnPages(pdf, () => ({ text: page_note, place: 24, align: 'left' }));
  root.end();
  pdf.end();
  return bytes;
}

/** Writes the small line at the top that says where the document comes from. */
export function writeOrigin(paper: Paper, origin: string): void {
  const runs = fitRuns(paper, origin);
  drawTagged(paper, 'P', (pdf) => {
    pdf.fontSize(10).fillColor(colours.quiet);
    writeRuns(pdf, runs, { x: margin_points, y: margin_points });
  });
}

const mark_points = 34;

/** A filled part of a mark: an SVG path on a square of 24, and its colour. */
export type MarkPart = { readonly path: string; readonly colour: string };

/** Draws what screen readers skip. */
export function drawArtifact(pdf: Pdf, draw: () => void): void {
  pdf.markContent('Artifact', { type: 'Layout' });
  draw();
  pdf.endMarkedContent();
}

/** Draws a mark at the top on the right, which screen readers skip. */
export function drawMark({ pdf }: Paper, parts: readonly MarkPart[]): void {
  const left = pdf.page.width - margin_points - mark_points;
  drawArtifact(pdf, () => drawMarkParts(pdf, parts, { left, top: margin_points - 6, size: mark_points }));
}

/** Draws the parts of a mark, whose upper left corner and width are given. */
export function drawMarkParts(
  pdf: Pdf,
  parts: readonly MarkPart[],
  { left, top, size }: { readonly left: number; readonly top: number; readonly size: number },
): void {
  pdf
    .save()
    .translate(left, top)
    .scale(size / 24);
  for (const { path, colour } of parts) pdf.path(path).fill(colour);
  pdf.restore();
}

/** Writes the heading of the document, which has characters of Latin, Greek and Cyrillic only. */
export function writeHeadline(paper: Paper, headline: string, colour: string = colours.ink): void {
  drawTagged(paper, 'H1', (pdf) => {
    selectWholeFont(pdf, headline, headingFonts);
    pdf.moveDown(0.4).fontSize(25).fillColor(colour).text(headline);
  });
}

/** Writes a paragraph. */
export function writeSentence(paper: Paper, sentence: string): void {
  const runs = fitRuns(paper, sentence);
  drawTagged(paper, 'P', (pdf) => {
    pdf.moveDown(0.5).font('plain').fontSize(11).fillColor(colours.ink).lineGap(1.5);
    writeRuns(pdf, runs, { x: margin_points, y: pdf.y });
    pdf.lineGap(0);
  });
}

/** Writes labels with their values under a heading, and below the heading the sentences of `lead`. */
export function writeRows(
  paper: Paper,
  heading: string,
  rows: readonly PaperRow[],
  lead: readonly string[] = [],
): void {
  const fitted = rows.map((row) => ({ ...row, value: fitRuns(paper, row.value) }));
  const [first] = fitted;
  // A heading is never alone at the end of a page.
  writeHeading(paper, heading, 60 + Math.max(50, first ? measureKeptHeight(paper, first.value) : 0));
  for (const sentence of lead) writeSentence(paper, sentence);
  for (const row of fitted) writeRow(paper, row);
  if (rows.length > 0) paper.pdf.y += after_rows_points;
}

const after_rows_points = 5;

/** Writes an address under a heading, with a QR code of it and the words before it. */
export function writeAddress(
  paper: Paper,
  address: string,
  words: { readonly heading: string; readonly prompt: string; readonly alt: string },
): void {
  const { pdf, root } = paper;
  writeHeading(paper, words.heading, qr_points + 60);
  const top = pdf.y + 8;
  const figure = pdf.struct('Figure', { alt: words.alt });
  figure.add(() => drawQr(pdf, address, { left: margin_points, top, size: qr_points }));
  root.add(figure);
  figure.end();
  const text = fitRuns(paper, address);
  const left = margin_points + qr_points + 16;
  drawTagged(paper, 'P', () => {
    pdf.font('plain').fontSize(11).fillColor(colours.ink);
    pdf.text(words.prompt, left, top + 20);
    pdf.fontSize(selectAddressSize(pdf, address, pdf.page.width - margin_points - left));
    writeRuns(pdf, text, { x: pdf.x, y: pdf.y });
    pdf.y = top + qr_points + 6;
  });
}

const [address_size_max, address_size_min] = [11, 7];

/** The size at which an address fits in one line: one that is broken at a hyphen looks like two. A very long one is broken. */
function selectAddressSize(pdf: Pdf, address: string, width: number): number {
  const wanted = pdf.fontSize(address_size_max).widthOfString(address);
  // A line is as wide as its text, and a little more.
  const fitting = (0.99 * address_size_max * width) / wanted;
  return Math.min(address_size_max, Math.max(address_size_min, fitting));
}

function writeHeading(paper: Paper, heading: string, needed_points: number): void {
  const { pdf } = paper;
  if (pdf.y + needed_points > pdf.page.height - margin_points) pdf.addPage();
  drawTagged(paper, 'H2', () => {
    selectWholeFont(pdf, heading, headingFonts);
    pdf.moveDown(1.2).fontSize(16).fillColor(colours.ink).text(heading, margin_points);
  });
}

/** A value that is higher than this continues on the next page. Any other is kept together. */
const kept_points = 160;
/** As much of a long value stays together before the end of a page. */
const begun_points = 56;

const getValueWidth = ({ pdf }: Paper) => pdf.page.width - 2 * margin_points - label_points;

/** Measures how much of a value must be on the page where it begins. */
function measureKeptHeight(paper: Paper, value: readonly FontRun[]): number {
  const width = getValueWidth(paper);
  const height = paper.pdf.font('plain').fontSize(11).heightOfString(toMeasurableText(value), { width });
  return height > kept_points ? begun_points : height;
}

type FittedRow = Omit<PaperRow, 'value'> & { readonly value: readonly FontRun[] };

function writeRow(paper: Paper, { label, value, scale, part }: FittedRow): void {
  const { pdf } = paper;
  const width = getValueWidth(paper);
  const height = measureKeptHeight(paper, value);
  if (pdf.y + height > pdf.page.height - margin_points) pdf.addPage();
  drawLine(pdf, pdf.y + 5);
  const left = margin_points + label_points;
  const place = { left, top: pdf.y + 12.5 };
  const drawn_points = scale ? drawScale(pdf, scale, place) : part ? drawPart(pdf, part, place) : 0;
  drawTagged(paper, 'P', () => {
    const top = pdf.y + 11;
    const { page } = pdf;
    pdf
      .font('plain')
      .fillColor(colours.quiet)
      .text(label, margin_points, top, { width: label_points - 12 });
    const bottom = pdf.y;
    pdf.fillColor(colours.ink);
    writeRuns(pdf, value, { x: left + drawn_points, y: top, width: width - drawn_points });
    if (pdf.page === page) pdf.y = Math.max(bottom, pdf.y);
    pdf.x = margin_points;
  });
}

const step_points = 9;
const step_gap_points = 2.5;

/** Draws a scale as stones, those that are reached filled, which screen readers skip: the words after it say the same. @returns its width. */
function drawScale(
  pdf: Pdf,
  { steps, reached }: PaperScale,
  { left, top }: { readonly left: number; readonly top: number },
): number {
  drawArtifact(pdf, () => {
    pdf
      .save()
      .lineWidth(0.8)
      .strokeColor(reached === undefined ? colours.line : colours.accent);
    for (let step = 0; step < steps; step++) {
      pdf.rect(left + step * (step_points + step_gap_points), top, step_points, step_points);
      if (reached !== undefined && step < reached) pdf.fillAndStroke(colours.accent, colours.accent);
      else pdf.stroke();
    }
    pdf.restore();
  });
  return steps * (step_points + step_gap_points) + 8;
}

const whole_points = 110;

/** Draws a part of a whole as a bar, which screen readers skip: the words after it say the same. @returns its width. */
function drawPart(
  pdf: Pdf,
  { from, to }: PaperPart,
  { left, top }: { readonly left: number; readonly top: number },
): number {
  drawArtifact(pdf, () => {
    pdf.save();
    pdf.rect(left, top, whole_points, step_points).fill(colours.line);
    pdf.rect(left + from * whole_points, top, (to - from) * whole_points, step_points).fill(colours.accent);
    pdf.restore();
  });
  return whole_points + 8;
}

/** Draws a line across the page, which screen readers skip. */
function drawLine(pdf: Pdf, y: number): void {
  drawArtifact(pdf, () => {
    pdf.save().lineWidth(0.5).strokeColor(colours.line);
    pdf
      .moveTo(margin_points, y)
      .lineTo(pdf.page.width - margin_points, y)
      .stroke();
    pdf.restore();
  });
}

/** Draws one element of the structure that screen readers follow. */
function drawTagged({ pdf, root }: Paper, tag: string, draw: (pdf: Pdf) => void): void {
  root.add(pdf.struct(tag, {}, () => draw(pdf)));
}

/** The text as one line without direction overrides, split into runs for which the fonts have glyphs. */
function fitRuns(paper: Paper, text: string): readonly FontRun[] {
  const line = text.replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]/g, ' ');
  const { runs, replaced } = splitByFont(removeDirectionOverrides(line));
  if (replaced) paper.replaced = true;
  return runs;
}

/** Writes text whose font may change within a line, and then selects the plain font. */
function writeRuns(
  pdf: Pdf,
  runs: readonly FontRun[],
  { x, y, width }: { readonly x: number; readonly y: number; readonly width?: number },
): void {
  for (const [index, { font, text }] of runs.entries()) {
    const options = { ...(width !== undefined && { width }), continued: index < runs.length - 1 };
    selectFont(pdf, font);
    if (index === 0) pdf.text(text, x, y, options);
    else pdf.text(text, options);
  }
  pdf.font('plain');
}

/** Text in the plain font whose height can be measured. A dash as wide as a Chinese character replaces each character of another font. */
function toMeasurableText(runs: readonly FontRun[]): string {
  return runs.map(({ font, text }) => (font === 'plain' ? text : text.replace(/./gsu, '—'))).join('');
}

/** Draws a QR code, whose upper left corner and width are given. */
export function drawQr(
  pdf: Pdf,
  text: string,
  { left, top, size }: { readonly left: number; readonly top: number; readonly size: number },
): void {
  const code = buildQrCode(text);
  const module_points = size / code.length;
  for (const { row, column, length } of findDarkRuns(code))
    pdf.rect(left + column * module_points, top + row * module_points, length * module_points, module_points);
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
