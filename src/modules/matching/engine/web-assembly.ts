/**
 * Of WebAssembly, what the scan needs. The library of browsers, which has the types, is no part of this project.
 */
export type SharedMemory = {
  /** The memory as it is now; after it has grown, a longer view of the same bytes. */
  readonly buffer: SharedArrayBuffer;
  /** Adds pages of 64 KiB; throws a RangeError where there is no room. */
  grow(pages: number): number;
};

type Constructors = {
  readonly Memory: new (options: { initial: number; maximum: number; shared: true }) => SharedMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
  validate(bytes: Uint8Array): boolean;
};

export const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Constructors };

export const pageBytes = 65_536;

/** 4 GiB, which is what a 32-bit address reaches. */
export const largestMemoryPages = 65_536;
