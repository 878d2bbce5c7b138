import { writeFileSync } from 'node:fs';
import path from 'node:path';
import wabt from 'wabt';

/*
 * Generates the scan kernel of the matching engine: `node scripts/generate-kernel.ts`. The text below is its source. The service loads the
 * bytes in `src/modules/matching/engine/kernel.generated.ts`, so that only developers need the assembler. A test generates the bytes again
 * and compares them.
 */

const blockBytes = 384;
const groupBytes = 64;
const groups = [1, 2, 3, 4, 5, 6] as const;
const vectors = [0, 1, 2, 3] as const;
const lanes = [0, 1, 2, 3] as const;

/** Builds the module as WebAssembly text, with one function for each number of weighted groups. */
export function buildKernelText(): string {
  return `(module
  (import "engine" "memory" (memory 1 65536 shared))
${groups.map(buildCollectFunction).join('\n')}
)`;
}

/**
 * `collectN(block, blocks, position, threshold, out, job) → end of out`.
 *
 * Scores the 16 members of each of `blocks` blocks by N groups of four slots, and writes the position and the score (two int32) of each
 * member that reaches the threshold. The address `job` contains N pairs of int32: the offset of a group within a block, and its four
 * weights from 0 to 127 as bytes. A group of a block has 64 bytes: four vectors of four members with four slots each.
 *
 * The relaxed dot product is exact on every machine: weights have seven bits, and the sum of two products is at most
 * 2 * 128 * 127 = 32,512, below the int16 saturation that some machines apply to the intermediate result. The dot product is computed in
 * pairs, which are then summed by a multiplication with ones. The single instruction for all four products took 20 % longer on a processor
 * without VNNI, because it creates its vector of ones each time.
 */
function buildCollectFunction(count: number): string {
  const repeatGroups = (write: (group: number) => string, separator = '\n') =>
    Array.from({ length: count }, (_, index) => write(index)).join(separator);
  return `  (func (export "collect${count}")
    (param $block i32) (param $blocks i32) (param $position i32) (param $threshold i32) (param $out i32) (param $job i32)
    (result i32)
    ${repeatGroups((group) => `(local $group${group} i32) (local $weights${group} v128)`, ' ')}
    (local $ones v128) (local $below v128) ${vectors.map((vector) => `(local $sum${vector} v128)`).join(' ')} (local $score i32)
    (if (i32.eqz (local.get $blocks)) (then (return (local.get $out))))
    (local.set $ones (v128.const i16x8 1 1 1 1 1 1 1 1))
    (local.set $below (i32x4.splat (i32.sub (local.get $threshold) (i32.const 1))))
${repeatGroups((group) => `    (local.set $group${group} (i32.load offset=${8 * group} (local.get $job)))`)}
${repeatGroups((group) => `    (local.set $weights${group} (v128.load32_splat offset=${8 * group + 4} (local.get $job)))`)}
    (loop $next
${vectors.map((vector) => `      (local.set $sum${vector} ${buildDotProducts(count, vector)})`).join('\n')}
      (if (v128.any_true ${buildThresholdTest()}) (then
${vectors.flatMap((vector) => lanes.map((lane) => buildMemberWrite(vector, lane))).join('\n')}
      ))
      (local.set $block (i32.add (local.get $block) (i32.const ${blockBytes})))
      (local.set $position (i32.add (local.get $position) (i32.const 16)))
      (br_if $next (local.tee $blocks (i32.sub (local.get $blocks) (i32.const 1)))))
    (local.get $out))`;
}

/** Builds the scores of four members: the sum of the dot products of all groups. */
function buildDotProducts(count: number, vector: number): string {
  let sum = '';
  for (let group = 0; group < count; group++) {
    const members = `(v128.load offset=${vector * (groupBytes / 4)} (i32.add (local.get $block) (local.get $group${group})))`;
    const pairs = `(i16x8.relaxed_dot_i8x16_i7x16_s ${members} (local.get $weights${group}))`;
    const products = `(i32x4.dot_i16x8_s ${pairs} (local.get $ones))`;
    sum = group === 0 ? products : `(i32x4.add ${products} ${sum})`;
  }
  return sum;
}

/** Compares only the best of the 16 scores, which needs one comparison instead of four. "Greater" is one instruction, "greater or equal" two. */
function buildThresholdTest(): string {
  const best = vectors
    .map((vector) => `(local.get $sum${vector})`)
    .reduce((one, other) => `(i32x4.max_s ${one} ${other})`);
  return `(i32x4.gt_s ${best} (local.get $below))`;
}

/** Always writes the member and advances the output only if the score reaches the threshold, which avoids an unpredictable branch. */
function buildMemberWrite(vector: number, lane: number): string {
  const position = `(i32.add (local.get $position) (i32.const ${vector * 4 + lane}))`;
  return `        (local.set $score (i32x4.extract_lane ${lane} (local.get $sum${vector})))
        (i32.store (local.get $out) ${position})
        (i32.store offset=4 (local.get $out) (local.get $score))
        (local.set $out (i32.add (local.get $out) (i32.shl (i32.ge_s (local.get $score) (local.get $threshold)) (i32.const 3))))`;
}

const features = { threads: true, relaxed_simd: true, simd: true, bulk_memory: true };

/** Assembles the module into bytes. */
export async function assembleKernel(): Promise<Uint8Array> {
  const assembler = await wabt();
  const module = assembler.parseWat('kernel.wat', buildKernelText(), features);
  // The declared type lacks the parameter: validation needs the features, too.
  (module as { validate(features: object): void }).validate(features);
  return module.toBinary({}).buffer;
}

const generated = path.join(import.meta.dirname, '../src/modules/matching/engine/kernel.generated.ts');

if (import.meta.main) {
  const text = Buffer.from(await assembleKernel()).toString('base64');
  const lines = text.match(/.{1,120}/g)!.map((line) => `  '${line}',`);
  writeFileSync(
    generated,
    `/** The scan kernel as WebAssembly, in base64. Written by \`node scripts/generate-kernel.ts\`, which has its source. */\nexport const kernelBase64 = [\n${lines.join('\n')}\n].join('');\n`,
  );
}
