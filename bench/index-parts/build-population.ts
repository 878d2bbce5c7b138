import { availableParallelism } from 'node:os';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { type IndexShard, isInShard } from '#lib/concurrency/index-shard.ts';
import { formatMemberId } from '#test/modules/random-population.ts';
import { traitSlotCount } from '../../src/modules/matching/engine/slots.ts';
import {
  createPopulation,
  upsertMember,
  type Population,
} from '../../src/modules/matching/engine/population.ts';

/** Builds the members with the first `size` ids, or those of a part of them: always the same, with approximately normal traits. */
export function buildPopulation(size: number, part?: IndexShard): Population {
  const population = createPopulation({ threads: 1 + availableParallelism() });
  const [mean, variance] = [new Float32Array(traitSlotCount), new Float32Array(traitSlotCount)];
  for (let index = 0; index < size; index += 1) {
    const member_id = formatMemberId(index);
    if (part && !isInShard(part, member_id)) continue;
    const draw = createSeededRandom(index + 1);
    for (let trait = 0; trait < traitSlotCount; trait += 1) {
      mean[trait] = 1.6 * (draw() + draw() + draw() + draw() - 2);
      variance[trait] = 0.09 + 0.2 * draw();
    }
    upsertMember(population, member_id, { mean, variance });
  }
  return population;
}
