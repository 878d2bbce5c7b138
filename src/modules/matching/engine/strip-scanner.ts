import { computeOnce } from '#lib/cache-results.ts';
import { mayBeCompatible, type PackedFilter } from './facts.ts';
import { kernelBase64 } from './kernel.generated.ts';
import {
  blockMembers,
  groupBytes,
  groupCount,
  groupSlots,
  locateBlock,
  locateFacts,
  locateFoundArea,
  locateJobArea,
  locateSlot,
  stripMembers,
} from './layout.ts';
import { WebAssembly, type SharedMemory } from './web-assembly.ts';

/** A query for all members whose weighted sum reaches the threshold and who pass the filter, if there is one. */
export type ScanQuery = {
  /** 24 integers, 0 to 127. */
  readonly weights: Uint8Array;
  readonly threshold: number;
  readonly filter: PackedFilter | undefined;
};

/** The positions of a strip: from the first position of a block to another position within the same chunk. */
export type Strip = { readonly from: number; readonly to: number };

/** Scans strips for one query after the other. */
export type StripScanner = {
  /** The results of the last scan: pairs of position and score, in order of position. */
  readonly found: Int32Array<SharedArrayBuffer>;
  /** Prepares a query. @returns a function that scans a strip and returns the number of pairs. */
  prepare(query: ScanQuery): (strip: Strip) => number;
};

/** The part of a population that a thread needs: the memory, its current views, and the number of the thread, which has its own scratch area. */
export type ScanMemory = {
  readonly memory: SharedMemory;
  readonly threads: number;
  readonly thread: number;
  readonly readViews: () => { readonly bytes: Int8Array; readonly words: Uint32Array };
};

type Collect = (
  block: number,
  blocks: number,
  position: number,
  threshold: number,
  out: number,
  job: number,
) => number;

/** Instantiates the kernel; undefined if this version of Node cannot run it. */
function instantiateKernel(memory: SharedMemory): Readonly<Record<string, Collect>> | undefined {
  const module = compileKernel();
  if (!module) return undefined;
  // The kernel exports functions of this type only; `scripts/generate-kernel.ts` is their source.
  return new WebAssembly.Instance(module, { engine: { memory } }).exports as Readonly<
    Record<string, Collect>
  >;
}

const compileKernel = computeOnce((): object | undefined => {
  const bytes = Buffer.from(kernelBase64, 'base64');
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : undefined;
});

/**
 * Opens a scanner on a population's memory. It uses the WebAssembly kernel or, with `plain` or if relaxed SIMD is unavailable, a loop in
 * JavaScript with the same results.
 */
export function openStripScanner(scanMemory: ScanMemory, { plain = false } = {}): StripScanner {
  const { memory, threads, thread } = scanMemory;
  const found = new Int32Array(memory.buffer, locateFoundArea(thread), 2 * stripMembers);
  const kernel = plain ? undefined : instantiateKernel(memory);
  return {
    found,
    prepare: (query) => {
      const collect = kernel
        ? createKernelCollector(kernel, scanMemory, query)
        : createLoopCollector(scanMemory, found, query);
      const { filter } = query;
      return (strip) => {
        const count = trimTail(found, collect(strip), strip.to);
        return filter ? filterFound(found, count, scanMemory.readViews().words, threads, filter) : count;
      };
    },
  };
}

function createKernelCollector(
  kernel: Readonly<Record<string, Collect>>,
  { memory, threads, thread }: ScanMemory,
  { weights, threshold }: ScanQuery,
): (strip: Strip) => number {
  const groups = selectWeightedGroups(weights);
  const job = groups.flatMap((group) => [group * groupBytes, packWeights(weights, group)]);
  const collect = kernel[`collect${groups.length}`]!;
  const area = new Int32Array(memory.buffer, locateJobArea(thread), job.length);
  const out = locateFoundArea(thread);
  return ({ from, to }) => {
    // Written for every strip, because another query may have used the area in between.
    area.set(job);
    const blocks = Math.ceil((to - from) / blockMembers);
    return (
      (collect(locateBlock(threads, from), blocks, from, threshold, out, locateJobArea(thread)) - out) / 8
    );
  };
}

/** Selects the groups with weights. Without any weight, it selects the first group, so that every score is 0. */
function selectWeightedGroups(weights: Uint8Array): readonly number[] {
  const weighted = Array.from({ length: groupCount }, (_, group) => group).filter(
    (group) => packWeights(weights, group) !== 0,
  );
  return weighted.length > 0 ? weighted : [0];
}

function packWeights(weights: Uint8Array, group: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = weights.subarray(group * groupSlots, (group + 1) * groupSlots);
  return a | (b << 8) | (c << 16) | (d << 24);
}

/** Does the same as the kernel, one member after the other, with 32-bit integers. */
function createLoopCollector(
  { readViews, threads }: ScanMemory,
  found: Int32Array,
  { weights, threshold }: ScanQuery,
): (strip: Strip) => number {
  const slots = Array.from(weights.keys()).filter((slot) => weights[slot]! > 0);
  const offsets = slots.map((slot) => locateSlot(threads, 0, slot) - locateSlot(threads, 0, 0));
  const factors = slots.map((slot) => weights[slot]!);
  return ({ from, to }) => {
    const { bytes } = readViews();
    let count = 0;
    for (let position = from; position < to; position += 1) {
      const row = locateSlot(threads, position, 0);
      let score = 0;
      for (let index = 0; index < offsets.length; index += 1)
        score = (score + Math.imul(factors[index]!, bytes[row + offsets[index]!]!)) | 0;
      if (score < threshold) continue;
      found[2 * count] = position;
      found[2 * count + 1] = score;
      count += 1;
    }
    return count;
  };
}

/** Removes results of unused positions in the last block: their score is 0, which may reach the threshold. */
function trimTail(found: Int32Array, count: number, to: number): number {
  let trimmed = count;
  while (trimmed > 0 && found[2 * trimmed - 2]! >= to) trimmed -= 1;
  return trimmed;
}

function filterFound(
  found: Int32Array,
  count: number,
  words: Uint32Array,
  threads: number,
  filter: PackedFilter,
): number {
  let passed = 0;
  for (let index = 0; index < count; index += 1) {
    const position = found[2 * index]!;
    const facts = locateFacts(threads, position);
    if (!mayBeCompatible(filter, words[facts]!, words[facts + 1]!)) continue;
    found[2 * passed] = position;
    found[2 * passed + 1] = found[2 * index + 1]!;
    passed += 1;
  }
  return passed;
}
