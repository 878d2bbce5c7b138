import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import {
  categoricalTraitCodes,
  computeCategoricalPosterior,
  type Answer,
  type LatentVector,
} from '#modules/measurement/traits';
import { assignArchetype } from '../../src/modules/measurement/archetypes/assignment.ts';
import {
  computeFamilyProbabilities,
  toCertainty,
} from '../../src/modules/measurement/archetypes/family-stability.ts';
import { computePosterior } from '../../src/modules/measurement/traits/measurement/posterior.ts';
import {
  simulateAssessment,
  simulateMember,
} from '../../src/modules/measurement/traits/measurement/simulated-member.ts';
import { first_stage_items } from '../../src/modules/measurement/traits/measurement/stages.ts';
import { buildLatentVector } from '../../src/modules/measurement/traits/measurement/trait-vector.ts';

/** Members of one certainty: how many, the mean predicted probability of the same family, and how many had it on a retest. */
export type RetestGroup = { count: number; predicted: number; same: number };

export type ArchetypeRetest = ReadonlyMap<'high' | 'medium' | 'low' | 'all', RetestGroup>;

/** Assesses simulated members twice, and compares the families of the nearest archetypes after the first stage and at the end. */
export function measureArchetypeRetests(
  size: number,
): Readonly<Record<'first' | 'complete', ArchetypeRetest>> {
  const random = createSeededRandom(13);
  const results = { first: createGroups(), complete: createGroups() };
  for (let index = 0; index < size; index++) {
    const member = simulateMember(random);
    const [one, other] = ['one', 'other'].map((turn) =>
      simulateAssessment(member, `${index}-${turn}`, random),
    );
    countFamilies(results.first, one!.slice(0, first_stage_items), other!.slice(0, first_stage_items));
    countFamilies(results.complete, one!, other!);
  }
  return results;
}

function countFamilies(groups: ArchetypeRetest, one: readonly Answer[], other: readonly Answer[]): void {
  const vector = measure(one);
  const { family } = assignArchetype(vector).template;
  const predicted = computeFamilyProbabilities(vector)[family];
  const same = Number(assignArchetype(measure(other)).template.family === family);
  for (const group of [groups.get(toCertainty(predicted))!, groups.get('all')!]) {
    group.count += 1;
    group.predicted += predicted;
    group.same += same;
  }
}

function measure(answers: readonly Answer[]): LatentVector {
  return buildLatentVector(
    computePosterior(answers),
    categoricalTraitCodes.map((trait) => computeCategoricalPosterior(trait, answers)),
  );
}

function createGroups(): ArchetypeRetest {
  return new Map(
    (['high', 'medium', 'low', 'all'] as const).map((level) => [level, { count: 0, predicted: 0, same: 0 }]),
  );
}
