import type PdfDocument from 'pdfkit';
import { chooseFontOfWhole, openFont, type FontName } from './fonts.ts';

type Pdf = InstanceType<typeof PdfDocument>;

/** The font metrics that a pdfkit document has and its types omit. */
type Metrics = { ascender: number; descender: number; lineGap: number };

/** Selects a font with the plain font's metrics, so that all fonts in a line have the same baseline and height. */
export function selectFont(pdf: Pdf, name: FontName): void {
  const current = pdf.font('plain') as unknown as { readonly _font: Metrics };
  const { ascender, descender, lineGap } = current._font;
  pdf.registerFont(name, openSource(name)).font(name);
  Object.assign(current._font, { ascender, descender, lineGap });
}

/** Selects one font for a text that is drawn whole. */
export function selectWholeFont(pdf: Pdf, text: string, names: readonly [FontName, ...FontName[]]): void {
  const name = chooseFontOfWhole(text, names);
  pdf.registerFont(name, openSource(name)).font(name);
}

/** pdfkit accepts an opened font, but its types do not say so. */
export function openSource(name: FontName): PDFKit.Mixins.PDFFontSource {
  return openFont(name) as unknown as PDFKit.Mixins.PDFFontSource;
}
