/** The parts of this package that are used here. The package has no types. */
declare module 'fontkit' {
  export type Font = {
    hasGlyphForCodePoint(code: number): boolean;
    layout(text: string): { readonly glyphs: readonly { readonly id: number }[] };
  };
  export function openSync(file: string): Font;
  export function create(bytes: Uint8Array): Font;
}
