/** The parts of this package that are used here. The package has no types. */
declare module 'fontkit' {
  export type Font = {
    hasGlyphForCodePoint(code: number): boolean;
    readonly unitsPerEm: number;
    layout(text: string): {
      readonly glyphs: readonly { readonly id: number; readonly path: { toSVG(): string } }[];
      readonly positions: readonly { readonly xAdvance: number }[];
      readonly advanceWidth: number;
    };
  };
  export function openSync(file: string): Font;
  export function create(bytes: Uint8Array): Font;
}
