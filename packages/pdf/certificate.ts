import { createHash } from 'node:crypto';
import { breakIntoLines, drawCentred, type Line, type Setting } from './lines.ts';
import {
  colours,
  drawArtifact,
  drawMarkParts,
  drawQr,
  type MarkPart,
  type Paper,
  type PaperRow,
  type Pdf,
} from './paper.ts';
import { splitByFont } from './fonts.ts';

/** What a certificate says, from top to bottom. */
export type Certificate = {
  /** The small line at the top. */
  readonly origin: string;
  readonly headline: string;
  /** The person, below the words before the name. */
  readonly holder: { readonly prompt: string; readonly name: string } | undefined;
  /** What is certified: labels with their values. */
  readonly says: readonly PaperRow[];
  /** Labels with short values between the seal and the code. */
  readonly terms: readonly PaperRow[];
  readonly address: string;
  /** The words below the QR code of the address, and what it is for those who cannot see it. */
  readonly code: { readonly prompt: string; readonly alt: string };
  readonly notes: readonly string[];
};

/** How a certificate looks: the mark in its seal, the colour of its headline, and those of the stones in its frame. */
export type CertificateLook = {
  readonly mark: readonly MarkPart[];
  readonly accent: string;
  readonly stones: readonly [string, ...string[]];
};

/**
 * Writes a certificate on a landscape page. Text that is too long for its place is set smaller. The order of the stones in the frame follows from the address, so
 * that each certificate has its own.
 */
export function writeCertificate(paper: Paper, content: Certificate, look: CertificateLook): void {
  const { pdf } = paper;
  // Everything has a fixed place on one page.
  pdf.page.margins = { top: 0, bottom: 0, left: 0, right: 0 };
  drawArtifact(pdf, () => {
    drawFrame(pdf, content.address, look.stones);
    drawSeal(pdf, look);
  });
  writeTitle(paper, content, look.accent);
  writeSays(paper, content.says, content.holder ? 226 : 172);
  writeTerms(paper, content.terms);
  writeCode(paper, content);
  writeNotes(paper, content.notes);
}

const frame_points = 26;
const stone_points = 5.4;

/** Draws a frame of small stones, as in a mosaic, and a line within it. */
function drawFrame(pdf: Pdf, seed: string, stones: CertificateLook['stones']): void {
  const { width, height } = pdf.page;
  const [columns, rows] = [countStones(width), countStones(height)];
  const [step_x, step_y] = [(width - 2 * frame_points) / columns, (height - 2 * frame_points) / rows];
  const places = [
    ...Array.from({ length: columns + 1 }, (_, index) => [index, 0] as const),
    ...Array.from({ length: rows - 1 }, (_, index) => [columns, index + 1] as const),
    ...Array.from({ length: columns + 1 }, (_, index) => [columns - index, rows] as const),
    ...Array.from({ length: rows - 1 }, (_, index) => [0, rows - 1 - index] as const),
  ];
  const order = expandSeed(seed, places.length);
  for (const [index, [column, row]] of places.entries()) {
    const left = frame_points + column * step_x - stone_points / 2;
    const top = frame_points + row * step_y - stone_points / 2;
    pdf.rect(left, top, stone_points, stone_points).fill(stones[order[index]! % stones.length]);
  }
  const inset = frame_points + 9;
  pdf.rect(inset, inset, width - 2 * inset, height - 2 * inset);
  pdf.lineWidth(0.6).strokeColor(colours.line).stroke();
}

const countStones = (length: number) => Math.round((length - 2 * frame_points) / 7.4);

/** Bytes that follow from a text, as many as are needed. */
function expandSeed(seed: string, length: number): Buffer {
  return createHash('shake256', { outputLength: length }).update(seed).digest();
}

const seal = { x: 128, y: 482, radius: 46 } as const;
const sealed_stones = 36;

/** Draws the mark within a ring of stones. */
function drawSeal(pdf: Pdf, { mark, accent, stones }: CertificateLook): void {
  const { x, y, radius } = seal;
  for (let index = 0; index < sealed_stones; index++) {
    const degrees = (360 * index) / sealed_stones;
    pdf.save().translate(x, y).rotate(degrees);
    pdf.rect(radius - 2.6, -2.6, 5.2, 5.2).fill(index % 3 === 0 ? accent : stones[index % stones.length]!);
    pdf.restore();
  }
  pdf
    .circle(x, y, radius - 7)
    .lineWidth(0.8)
    .strokeColor(accent)
    .stroke();
  drawMarkParts(pdf, mark, { left: x - 23, top: y - 23, size: 46 });
}

const text_points = 640;

function writeTitle(paper: Paper, { origin, headline, holder }: Certificate, accent: string): void {
  writeCentred(paper, 'P', origin, { y: 62, size: 9.5, colour: colours.quiet });
  writeCentred(paper, 'H1', headline, { y: 84, size: 34, font: 'display', colour: accent });
  if (!holder) return;
  writeCentred(paper, 'P', holder.prompt, { y: 139, size: 10.5, colour: colours.quiet });
  writeCentred(paper, 'P', holder.name, { y: 156, size: 38, font: 'display', colour: colours.ink });
}

type Placing = {
  readonly y: number;
  readonly size: number;
  readonly colour: string;
  readonly font?: Setting['font'];
  readonly x?: number;
  readonly width?: number;
  /** The height that its lines may take together; that of one line by default. */
  readonly height?: number;
};

const leading_ratio = 1.25;

/** Writes a text centred, in a smaller size if it would be higher than it may. */
function writeCentred(paper: Paper, tag: string, text: string, placing: Placing): void {
  const { pdf, root } = paper;
  const { y, size, colour, font, x = pdf.page.width / 2, width = text_points } = placing;
  const { height = size * leading_ratio } = placing;
  noteReplaced(paper, text);
  root.add(
    pdf.struct(tag, {}, () => {
      const fitted = fitSize(size, (smaller) => {
        const lines = breakIntoLines(pdf, text, { size: smaller, width, ...(font && { font }) });
        return lines.length * smaller * leading_ratio <= height ? lines : undefined;
      });
      const { size: fitted_size, result: lines } = fitted;
      // A single line stands on the same baseline in every size.
      const top = lines.length === 1 ? y + size - fitted_size : y;
      pdf.fillColor(colour);
      drawCentred(pdf, lines, { x, y: top, size: fitted_size, leading: fitted_size * leading_ratio });
    }),
  );
}

const size_min = 3;

/** Tries smaller sizes until one fits. @throws if none does. */
function fitSize<Result>(
  size: number,
  set: (size: number) => Result | undefined,
): { readonly size: number; readonly result: Result } {
  for (let smaller = size; smaller >= size_min; smaller -= 0.5) {
    const result = set(smaller);
    if (result !== undefined) return { size: smaller, result };
  }
  throw new Error('a text of a certificate is too long for its place');
}

function noteReplaced(paper: Paper, text: string): void {
  if (splitByFont(text).replaced) paper.replaced = true;
}

type Block = { readonly label: readonly Line[]; readonly value: readonly Line[] };

const says_bottom = 412;
const label_ratio = 0.62;

/** Writes what is certified in the middle of the page: each value below its label. */
function writeSays(paper: Paper, says: readonly PaperRow[], top: number): void {
  const { pdf, root } = paper;
  for (const { value } of says) noteReplaced(paper, value);
  const { size, result: blocks } = fitSize(17, (smaller) => {
    const set = says.map((row) => setBlock(pdf, row, smaller));
    return measureBlocks(set, smaller) <= says_bottom - top ? set : undefined;
  });
  let y = top + (says_bottom - top - measureBlocks(blocks, size)) / 2;
  for (const { label, value } of blocks)
    root.add(
      pdf.struct('P', {}, () => {
        const x = pdf.page.width / 2;
        pdf.fillColor(colours.quiet);
        y = drawCentred(pdf, label, { x, y, size: size * label_ratio, leading: size * 0.95 });
        pdf.fillColor(colours.ink);
        y = drawCentred(pdf, value, { x, y, size, leading: size * 1.35 }) + size * 0.55;
      }),
    );
}

function setBlock(pdf: Pdf, { label, value }: PaperRow, size: number): Block {
  return {
    label: breakIntoLines(pdf, label, { size: size * label_ratio, width: text_points }),
    value: breakIntoLines(pdf, value, { size, width: 560 }),
  };
}

function measureBlocks(blocks: readonly Block[], size: number): number {
  const heights = blocks.map(({ label, value }) => label.length * 0.95 + value.length * 1.35 + 0.55);
  return size * heights.reduce((sum, height) => sum + height, 0);
}

const terms_left = 205;
const terms_points = 420;

/** Writes the terms as columns between the seal and the code. */
function writeTerms(paper: Paper, terms: readonly PaperRow[]): void {
  const width = terms_points / terms.length;
  for (const [index, { label, value }] of terms.entries()) {
    const at = { x: terms_left + width * (index + 0.5), width: width - 12 };
    writeCentred(paper, 'P', label, { ...at, y: 460, size: 9.5, colour: colours.quiet });
    writeCentred(paper, 'P', value, { ...at, y: 475, size: 11.5, colour: colours.ink, height: 44 });
  }
}

const code = { left: 672, top: 430, size: 84 } as const;

function writeCode(paper: Paper, { address, code: words }: Certificate): void {
  const { pdf, root } = paper;
  const figure = pdf.struct('Figure', { alt: words.alt });
  figure.add(() => drawQr(pdf, address, code));
  root.add(figure);
  figure.end();
  const x = code.left + code.size / 2;
  writeCentred(paper, 'P', words.prompt, { x, y: 519, size: 8.5, width: 120, colour: colours.quiet });
}

function writeNotes(paper: Paper, notes: readonly string[]): void {
  for (const [index, note] of notes.entries())
    writeCentred(paper, 'P', note, {
      y: 537 - 11 * (notes.length - 1) + 11 * index,
      size: 8,
      width: 740,
      colour: colours.quiet,
    });
}
