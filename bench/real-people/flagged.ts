import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { computeAnswerQuality } from '../../src/modules/measurement/traits/measurement/answer-quality.ts';
import { computePosterior } from '../../src/modules/measurement/traits/measurement/posterior.ts';
import { shuffle } from '../lib/answers.ts';
import { formatPercent } from '../lib/report.ts';
import { average, type Figure, type RealPeople } from './people.ts';

/** Says how many people are flagged for their own answers, whose items are put in random order. Some of them will truly be careless. */
export function countFlagged({ bank, others }: RealPeople): readonly Figure[] {
  const random = createSeededRandom(7);
  const flagged = others.map((answers) => {
    const { mean } = computePosterior(answers, bank);
    return Number(computeAnswerQuality(shuffle(answers, random), mean, bank).flags.length > 0);
  });
  return [
    {
      name: 'real people flagged, calibrated',
      earlier: '3.7 %',
      now: formatPercent(average(flagged)),
      target: '3 %',
    },
  ];
}
