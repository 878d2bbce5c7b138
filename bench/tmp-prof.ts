import { normalPopulation } from '../src/modules/matching/random-population.ts';
import { scoreAll, topMembers, kthScore, positionsAtLeast } from '../src/modules/matching/scan.ts';
import { standardWeights } from '../src/modules/matching/fit.ts';
import { matchJob } from '../src/modules/matching/shortlist.ts';
import { quantiseWeights } from '../src/modules/matching/slots.ts';
import { traitCodes } from '#modules/traits';
const { population } = normalPopulation(100000, 7);
const min = (n: number, f: () => unknown) => {
  let b = Infinity;
  for (let i = 0; i < n; i++) {
    const t = performance.now();
    f();
    b = Math.min(b, performance.now() - t);
  }
  return b.toFixed(3);
};
for (const order of [
  [7, 12, 20],
  [20, 12, 7],
])
  for (const traits of order) {
    const job = Object.fromEntries(
      traitCodes.slice(0, traits).map((code, index) => [code, 0.3 + (0.7 * ((index * 7) % traits)) / traits]),
    );
    const w = quantiseWeights(standardWeights(job));
    const out = new Int32Array(100000);
    const n = 300;
    scoreAll(population, w, out);
    const { threshold, ties } = kthScore(out, 1000);
    console.log(
      traits,
      'scan',
      min(n, () => scoreAll(population, w, out)),
      'alloc',
      min(n, () => new Int32Array(100000)),
      'scan fresh',
      min(n, () => scoreAll(population, w, new Int32Array(100000))),
      'kth',
      min(n, () => kthScore(out, 1000)),
      'pos',
      min(n, () => positionsAtLeast(out, threshold, ties)),
      'top',
      min(n, () => topMembers(population, w, 1000)),
      'match',
      min(n, () => matchJob(population, job)),
    );
  }
