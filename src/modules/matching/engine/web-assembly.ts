/** The part of WebAssembly that the scan needs. Its types belong to the library of browsers, which this project does not include. */
export type SharedMemory = {
  /** The current memory. After growth, it is a longer view of the same bytes. */
  readonly buffer: SharedArrayBuffer;
  /** Adds pages of 64 KiB. @throws RangeError if the maximum is reached. */
  grow(pages: number): number;
};

type Constructors = {
  readonly Memory: new (options: { initial: number; maximum: number; shared: true }) => SharedMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
  validate(bytes: Uint8Array): boolean;
};

// TypeScript does not know this global without the library of browsers.
export const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Constructors };

export const pageBytes = 65_536;

/** 4 GiB, the limit of 32-bit addresses. */
export const largestMemoryPages = 65_536;
