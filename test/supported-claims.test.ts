import { expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { formatExplanation } from '../src/modules/matching/matches/explanations/explanation-words.ts';
import { explainMatch } from '../src/modules/matching/matches/explanations/explanation.ts';
import { traitSentences, type Reader } from '../src/modules/matching/matches/explanations/trait-sentences.ts';
import {
  computeLevel,
  labelFamilies,
  labelValues,
  valueTraits,
} from '../src/modules/income/reads/making/tiers.ts';
import {
  buildTraitVector,
  simulateMember,
  traitCodes,
  traitFamilies,
  traitNames,
  type LatentVector,
  type TraitCode,
} from '#modules/measurement/traits';
import { claimPosition } from '../src/modules/measurement/traits/measurement/trait-words.ts';

const people = 10_000;

/** A claim of a text: an estimate, and the side of the middle that the text puts it on. */
type Claim = {
  readonly text: string;
  readonly side: 1 | -1;
  readonly mean: number;
  readonly variance: number;
};

test(`no text about ${people} simulated people claims a side whose band holds the middle`, () => {
  const random = createSeededRandom(30);
  const claims = { words: 0, explanations: 0, labels: 0 };
  const unsupported: Claim[] = [];
  for (let person = 0; person < people; person += 1) {
    const vector = measure(simulateMember(random).traits, random);
    const found = {
      words: listClaimsOfWords(vector),
      explanations: (['member', 'organisation'] as const).flatMap((reader) =>
        listClaimsOfExplanation(vector, reader, random),
      ),
      labels: listClaimsOfLabels(vector, random),
    };
    for (const [kind, list] of Object.entries(found)) claims[kind as keyof typeof claims] += list.length;
    unsupported.push(
      ...Object.values(found)
        .flat()
        .filter(({ side, mean, variance }) => side * mean < 1.96 * Math.sqrt(variance)),
    );
  }
  expect(unsupported.slice(0, 3)).toEqual([]);
  // Each kind of text has made claims, so that none of them is silent by mistake.
  for (const count of Object.values(claims)) expect(count).toBeGreaterThan(people / 2);
});

/** Measures traits with errors as after few or many answers. The two slots of ways of acting are average. */
function measure(truth: readonly number[], random: () => number): LatentVector {
  const variance = traitCodes.map(() => 0.1 + 0.5 * random());
  // The posterior mean of a trait with this variance is normal with the remaining variance.
  const mean = variance.map(
    (each, slot) =>
      (1 - each) * (truth[slot] ?? 0) + Math.sqrt(each * (1 - each)) * drawStandardNormal(random),
  );
  return { mean, variance };
}

/** The words of the page of traits. A likely word says itself that the other side is possible. */
function listClaimsOfWords({ mean, variance }: LatentVector): readonly Claim[] {
  const { traits } = buildTraitVector({ mean, variance }, []);
  return traits.flatMap((trait, slot) => {
    const { word, certainty } = claimPosition(trait);
    if (word === null || word === 'average' || certainty === 'likely') return [];
    const side = word === 'more' || word === 'much_more' ? 1 : -1;
    return [{ text: word, side, mean: mean[slot]!, variance: variance[slot]! }] as const;
  });
}

function listClaimsOfExplanation(
  vector: LatentVector,
  reader: Reader,
  random: () => number,
): readonly Claim[] {
  const asked = Object.fromEntries(traitCodes.map((code) => [code, random()]));
  const member = { ...vector, provisional: true, values: null };
  const { top_strengths, growth_areas, summary_text } = formatExplanation(
    {
      ...explainMatch(member, { job: asked, computed: asked }, undefined),
      match_quality: 'moderate',
      confidence_level: 'medium',
      trait_priorities: asked,
      values: null,
      culture: undefined,
    },
    { reader, has_agreed: true, is_detailed: false },
  );
  const [strengths = '', growth = ''] = [
    /(?:strengths for this job|strengths of this person for this job): (.*?)\./i,
    /(?:Room to grow|Worth discussing): (.*?)\./,
  ].map((list) => list.exec(summary_text)?.[1]);
  return traitCodes.flatMap((code, slot) => {
    const name = traitNames[code];
    const [mean, variance] = [vector.mean[slot]!, vector.variance[slot]!];
    const isAbove =
      top_strengths.includes(traitSentences[code].strength[reader]) ||
      summary_text.includes(`${name} is above average`) ||
      strengths.includes(name.toLowerCase());
    const isBelow =
      growth_areas.includes(traitSentences[code].growth[reader]) ||
      summary_text.includes(`${name} is something that`) ||
      growth.includes(name.toLowerCase());
    return [
      ...(isAbove ? [{ text: `${name} above`, side: 1, mean, variance } as const] : []),
      ...(isBelow ? [{ text: `${name} below`, side: -1, mean, variance } as const] : []),
    ];
  });
}

/** The labels of paid reads. `moderate` and `important` claim no side. */
function listClaimsOfLabels(vector: LatentVector, random: () => number): readonly Claim[] {
  const drawn = random();
  const labels: readonly (readonly [codes: readonly TraitCode[], label: string])[] = [
    ...joinLabels(
      traitFamilies,
      labelFamilies(vector, () => drawn),
    ),
    ...joinLabels(
      valueTraits,
      labelValues(vector, () => drawn),
    ),
  ];
  return labels.flatMap(([codes, label]) => {
    const side = ({ high: 1, strong: 1, central: 1, emerging: -1, secondary: -1 } as const)[label];
    return side === undefined ? [] : [{ text: label, side, ...computeLevel(vector, codes) }];
  });
}

function joinLabels<Name extends string>(
  traits: Readonly<Record<Name, readonly TraitCode[]>>,
  labels: Readonly<Record<Name, string>>,
) {
  return (Object.keys(traits) as Name[]).map((name) => [traits[name], labels[name]] as const);
}
