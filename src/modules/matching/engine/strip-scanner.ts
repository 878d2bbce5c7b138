import { maySuit, type PackedFilter } from './facts.ts';
import { kernelBase64 } from './kernel.generated.ts';
import {
  blockMembers,
  blockStart,
  factsAt,
  foundStart,
  groupBytes,
  groupCount,
  groupSlots,
  jobStart,
  slotAt,
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
  /** Makes ready for a query. @returns what looks through a strip, until the next query is prepared, and says how many it found. */
  prepare(query: ScanQuery): (strip: Strip) => number;
};

/** The part of a population that a thread needs: the memory, what views of it there are now, and which scratch area is its own. */
export type ScanGround = {
  readonly memory: SharedMemory;
  readonly threads: number;
  readonly thread: number;
  readonly views: () => { readonly bytes: Int8Array; readonly words: Uint32Array };
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
function kernelOf(memory: SharedMemory): Readonly<Record<string, Collect>> | undefined {
  const module = kernelModule();
  if (!module) return undefined;
  return new WebAssembly.Instance(module, { engine: { memory } }).exports as Readonly<
    Record<string, Collect>
  >;
}

let compiled: object | undefined;

function kernelModule(): object | undefined {
  const bytes = Buffer.from(kernelBase64, 'base64');
  if (compiled === undefined && WebAssembly.validate(bytes)) compiled = new WebAssembly.Module(bytes);
  return compiled;
}

/**
 * A scanner on a population's memory: the WebAssembly kernel, or `plain`, a loop in JavaScript that finds the same, where relaxed SIMD
 * is unavailable.
 */
export function openStripScanner(ground: ScanGround, { plain = false } = {}): StripScanner {
  const { memory, threads, thread } = ground;
  const found = new Int32Array(memory.buffer, foundStart(thread), 2 * stripMembers);
  const kernel = plain ? undefined : kernelOf(memory);
  return {
    found,
    prepare: (query) => {
      const collect = kernel ? byKernel(kernel, ground, query) : byLoop(ground, found, query);
      const { filter } = query;
      return (strip) => {
        const count = withoutTail(found, collect(strip), strip.to);
        return filter ? filtered(found, count, ground.views().words, threads, filter) : count;
      };
    },
  };
}

function byKernel(
  kernel: Readonly<Record<string, Collect>>,
  { memory, threads, thread }: ScanGround,
  { weights, threshold }: ScanQuery,
): (strip: Strip) => number {
  const groups = weightedGroups(weights);
  const job = groups.flatMap((group) => [group * groupBytes, wordOf(weights, group)]);
  const collect = kernel[`collect${groups.length}`]!;
  new Int32Array(memory.buffer, jobStart(thread), job.length).set(job);
  const out = foundStart(thread);
  return ({ from, to }) => {
    const blocks = Math.ceil((to - from) / blockMembers);
    return (collect(blockStart(threads, from), blocks, from, threshold, out, jobStart(thread)) - out) / 8;
  };
}

/** The groups that a job weighs, and the first one where it weighs nothing: then everybody's score is 0. */
function weightedGroups(weights: Uint8Array): readonly number[] {
  const weighted = Array.from({ length: groupCount }, (_, group) => group).filter(
    (group) => wordOf(weights, group) !== 0,
  );
  return weighted.length > 0 ? weighted : [0];
}

function wordOf(weights: Uint8Array, group: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = weights.subarray(group * groupSlots, (group + 1) * groupSlots);
  return a | (b << 8) | (c << 16) | (d << 24);
}

/** The same without the kernel: one member after the other, in 32-bit integers. */
function byLoop(
  { views, threads }: ScanGround,
  found: Int32Array,
  { weights, threshold }: ScanQuery,
): (strip: Strip) => number {
  const slots = Array.from(weights.keys()).filter((slot) => weights[slot]! > 0);
  const offsets = slots.map((slot) => slotAt(threads, 0, slot) - slotAt(threads, 0, 0));
  const factors = slots.map((slot) => weights[slot]!);
  return ({ from, to }) => {
    const { bytes } = views();
    let count = 0;
    for (let position = from; position < to; position += 1) {
      const row = slotAt(threads, position, 0);
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
function withoutTail(found: Int32Array, count: number, to: number): number {
  let left = count;
  while (left > 0 && found[2 * left - 2]! >= to) left -= 1;
  return left;
}

function filtered(
  found: Int32Array,
  count: number,
  words: Uint32Array,
  threads: number,
  filter: PackedFilter,
): number {
  let kept = 0;
  for (let index = 0; index < count; index += 1) {
    const position = found[2 * index]!;
    const facts = factsAt(threads, position);
    if (!maySuit(filter, words[facts]!, words[facts + 1]!)) continue;
    found[2 * kept] = position;
    found[2 * kept + 1] = found[2 * index + 1]!;
    kept += 1;
  }
  return kept;
}
