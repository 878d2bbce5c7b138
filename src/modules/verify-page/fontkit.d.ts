/** The parts of this package that we use; it brings no types. */
declare module 'fontkit' {
  export type Font = {
    hasGlyphForCodePoint(code: number): boolean;
    layout(text: string): unknown;
  };
  export function openSync(file: string): Font;
}
