/** The parts of this package that the service uses. The package has no types. */
declare module 'base58-universal' {
  export function encode(bytes: Uint8Array): string;
  /** @returns undefined if a character is not in the alphabet. */
  export function decode(text: string): Uint8Array | undefined;
}
