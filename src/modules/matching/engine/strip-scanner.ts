import { mayBeCompatible, type PackedFilter } from './facts.ts';
import { kernelBase64 } from './kernel.generated.ts';
import {
  blockMembers,
  locateBlock,
  locateFacts,
  locateFoundArea,
  groupBytes,
  groupCount,
  groupSlots,
  locateJobArea,
  locateSlot,
  stripMembers,
} from './layout.ts';
import { WebAssembly, type SharedMemory } from './web-assembly.ts';

/** What is looked for: everybody whose weighted sum reaches the threshold and whom the filter, if there is one, lets pass. */
export type ScanQuery = {
  /** 24 integers, 0 to 127. */
  readonly weights: Uint8Array;
  readonly threshold: number;
  readonly filter: PackedFilter | undefined;
};

/** Where a strip lies: from a position that begins a block, up to another within the same chunk. */
export type Strip = { readonly from: number; readonly to: number };

/** Looks through strips for one query after another. */
export type StripScanner = {
  /** What the last look found: pairs of position and score, in order of position. */
  readonly found: Int32Array<SharedArrayBuffer>;
  /** Makes ready for a query. @returns what looks through a strip and says how many it found. */
  prepare(query: ScanQuery): (strip: Strip) => number;
};

/** The part of a population that a thread needs: the memory, what views of it there are now, and which scratch area is its own. */
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

/** The dot product of the kernel, or undefined where this Node cannot run it. */
function instantiateKernel(memory: SharedMemory): Readonly<Record<string, Collect>> | undefined {
  const module = compileKernel();
  if (!module) return undefined;
  return new WebAssembly.Instance(module, { engine: { memory } }).exports as Readonly<
    Record<string, Collect>
  >;
}

let compiled: object | undefined;

function compileKernel(): object | undefined {
  const bytes = Buffer.from(kernelBase64, 'base64');
  if (compiled === undefined && WebAssembly.validate(bytes)) compiled = new WebAssembly.Module(bytes);
  return compiled;
}

/**
 * A scanner on a population's memory: the WebAssembly kernel, or `plain`, a loop in JavaScript that finds the same, where relaxed SIMD
 * is unavailable.
 */
export function openStripScanner(ground: ScanMemory, { plain = false } = {}): StripScanner {
  const { memory, threads, thread } = ground;
  const found = new Int32Array(memory.buffer, locateFoundArea(thread), 2 * stripMembers);
  const kernel = plain ? undefined : instantiateKernel(memory);
  return {
    found,
    prepare: (query) => {
      const collect = kernel
        ? createKernelCollector(kernel, ground, query)
        : createLoopCollector(ground, found, query);
      const { filter } = query;
      return (strip) => {
        const count = trimTail(found, collect(strip), strip.to);
        return filter ? filterFound(found, count, ground.readViews().words, threads, filter) : count;
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
    // Each time, as another query may have been looked for in between.
    area.set(job);
    const blocks = Math.ceil((to - from) / blockMembers);
    return (
      (collect(locateBlock(threads, from), blocks, from, threshold, out, locateJobArea(thread)) - out) / 8
    );
  };
}

/** The groups that a job weighs, and the first one where it weighs nothing: then everybody's score is 0. */
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

/** The same without the kernel: one member after the other, in 32-bit integers. */
function createLoopCollector(
  { readViews: views, threads }: ScanMemory,
  found: Int32Array,
  { weights, threshold }: ScanQuery,
): (strip: Strip) => number {
  const slots = Array.from(weights.keys()).filter((slot) => weights[slot]! > 0);
  const offsets = slots.map((slot) => locateSlot(threads, 0, slot) - locateSlot(threads, 0, 0));
  const factors = slots.map((slot) => weights[slot]!);
  return ({ from, to }) => {
    const { bytes } = views();
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

/** The blank places of the last block score 0, which may reach the threshold. */
function trimTail(found: Int32Array, count: number, to: number): number {
  let left = count;
  while (left > 0 && found[2 * left - 2]! >= to) left -= 1;
  return left;
}

function filterFound(
  found: Int32Array,
  count: number,
  words: Uint32Array,
  threads: number,
  filter: PackedFilter,
): number {
  let kept = 0;
  for (let index = 0; index < count; index += 1) {
    const position = found[2 * index]!;
    const facts = locateFacts(threads, position);
    if (!mayBeCompatible(filter, words[facts]!, words[facts + 1]!)) continue;
    found[2 * kept] = position;
    found[2 * kept + 1] = found[2 * index + 1]!;
    kept += 1;
  }
  return kept;
}
