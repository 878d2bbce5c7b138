/** The parts of this package that we use; it brings no types. */
declare module 'base58-universal' {
  export function encode(bytes: Uint8Array): string;
  /** @returns undefined where a character is not of the alphabet. */
  export function decode(text: string): Uint8Array | undefined;
}
