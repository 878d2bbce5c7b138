import { createSeededRandom, drawBelow } from '@tessera/psychometrics/seeded-random';
import type { ItemBank } from '../src/modules/measurement/traits/items/bank.ts';
import { itemBank } from '../src/modules/measurement/traits/items/item-bank.ts';
import type { Answer } from '../src/modules/measurement/traits/items/item.ts';
import {
  computeAnswerQuality,
  type AnswerQuality,
} from '../src/modules/measurement/traits/measurement/answer-quality.ts';
import { computePosterior } from '../src/modules/measurement/traits/measurement/posterior.ts';
import { simulateMember } from '../src/modules/measurement/traits/measurement/simulated-member.ts';
import { first_stage_items } from '../src/modules/measurement/traits/measurement/stages.ts';
import { itemWorlds, simulateWorld } from '../test/modules/item-worlds.ts';
import { simulateAssessment } from '../test/modules/simulated-assessment.ts';
import { behaviours } from '../test/modules/simulated-behaviour.ts';
import { readRealPeople } from './honest/real-people.ts';
import { shuffle } from './lib/answers.ts';
import { measureTime } from './lib/measure.ts';
import { formatMilliseconds, formatPercent, type Table } from './lib/report.ts';
import { requireData } from './lib/shared-data.ts';

const title = 'Honest people';

/** The answers of a person, and what the quality checks say of the first stage and of all. */
type Judged = { readonly first: AnswerQuality; readonly all: AnswerQuality };

/**
 * Counts whom the quality checks flag: simulated honest people whose statements behave otherwise than judged, simulated careless people, and
 * real people. It measures little time.
 */
export const runBenchmark = requireData(title, async ({ quick }) => {
  const [people, careless, real] = quick ? [10, 5, 50] : [200, 100, 700];
  const worlds = Object.keys(itemWorlds) as (keyof typeof itemWorlds)[];
  const honest = new Map<string, readonly Judged[]>(
    worlds.map((world) => [world, judgeAll(simulateWorld(world, people, 1), itemBank)]),
  );
  const others = new Map<string, readonly Judged[]>(
    carelessBehaviours.map((name) => {
      const count = name === 'clicks at random' ? 3 * careless : careless;
      return [name, judgeAll(simulateBehaviour(name, count), itemBank)];
    }),
  );
  return {
    title,
    tables: [
      describeFlags(`simulated honest people, ${people} each, whose statements are`, honest),
      describeFlags(`simulated people, ${careless} each (random clicks: ${3 * careless}), who`, others),
      describeCurve(honest, others.get('clicks at random')!),
      ...(await judgeRealPeople(real)),
      await measureCost(simulateWorld('as judged', quick ? 2 : 20, 2)),
    ],
    notes: [
      'Targets: at most 3 % of honest people flagged, after 50 items and at the end; at least 97 % of random answers at the end; an answer below 5 ms. Some real people will be careless.',
      'Worlds: test/modules/item-worlds.ts. Nobody who is flagged or not was used to calibrate the parameters.',
    ],
  };
});

const carelessBehaviours = [
  'clicks at random',
  'clicks at random around the middle',
  'clicks at random in the second half',
  'options in turn',
  'agrees throughout',
  'most favourable option throughout',
  'clearly favourable: every answer one step better',
  'mildly favourable: half of the answers one step better',
  'prefers the ends of the scale: half of the answers one step further out',
  'avoids the ends of the scale: half of the extreme answers one step further in',
  'agrees more or less than others (sd a third of a step)',
] as const satisfies readonly (keyof typeof behaviours)[];

function simulateBehaviour(name: keyof typeof behaviours, count: number): readonly (readonly Answer[])[] {
  const random = createSeededRandom(8);
  return Array.from({ length: count }, (_, index) =>
    simulateAssessment(simulateMember(random), `careless-${index}`, random, {
      behave: behaviours[name](random),
    }),
  );
}

function judgeAll(answerSets: readonly (readonly Answer[])[], bank: ItemBank<string>): readonly Judged[] {
  const judge = (answers: readonly Answer[]) =>
    computeAnswerQuality(answers, computePosterior(answers, bank).mean, bank);
  return answerSets.map((answers) => ({
    first: judge(answers.slice(0, first_stage_items)),
    all: judge(answers),
  }));
}

function describeFlags(what: string, groups: ReadonlyMap<string, readonly Judged[]>): Table {
  return {
    head: [
      what,
      `flagged after ${first_stage_items}`,
      'at the end',
      'inconsistent',
      'idealised',
      'mean trust at the end',
    ],
    rows: [...groups].map(([name, judged]) => {
      const count = (test: (each: Judged) => boolean) => formatShare(judged, test);
      return [
        name,
        count(({ first }) => first.flags.length > 0),
        count(({ all }) => all.flags.length > 0),
        count(({ all }) => all.flags.includes('inconsistent')),
        count(({ all }) => all.flags.includes('idealised')),
        (judged.reduce((sum, { all }) => sum + all.trust, 0) / judged.length).toFixed(2),
      ];
    }),
  };
}

function formatShare<Element>(list: readonly Element[], test: (each: Element) => boolean): string {
  return formatPercent(list.filter(test).length / list.length);
}

/** What each limit of the probability of carelessness would flag: the world with the most honest people flagged, and random clicks. */
function describeCurve(honest: ReadonlyMap<string, readonly Judged[]>, random: readonly Judged[]): Table {
  const share = (judged: readonly Judged[], stage: keyof Judged, limit: number) =>
    judged.filter((each) => each[stage].careless_probability > limit).length / judged.length;
  const findWorst = (stage: keyof Judged, limit: number) =>
    Math.max(...[...honest.values()].map((judged) => share(judged, stage, limit)));
  return {
    head: [
      'limit of the probability of carelessness',
      `honest above it after ${first_stage_items}, worst world`,
      'random clicks',
      'honest at the end, worst world',
      'random clicks',
    ],
    rows: [0.1, 1 / 6, 1 / 4, 1 / 3, 0.5, 2 / 3, 0.8, 0.9].map((limit) => [
      limit.toFixed(2),
      formatPercent(findWorst('first', limit)),
      formatPercent(share(random, 'first', limit)),
      formatPercent(findWorst('all', limit)),
      formatPercent(share(random, 'all', limit)),
    ]),
  };
}

/** Judges real people whose answers are in an order of their own, and what is made of the answers of some of them. */
async function judgeRealPeople(count: number): Promise<readonly Table[]> {
  const samples = await readRealPeople();
  return samples.flatMap(({ name, banks, people }) =>
    Object.entries(banks).map(([parameters, bank]) => {
      const random = createSeededRandom(9);
      const real = people.slice(0, count);
      const some = real.slice(0, 150);
      const groups = {
        real,
        'random answers': some.map((answers) => answers.map((each) => drawAnswer(each, bank, random))),
        'own answers in another order': some.map((answers) => {
          const options = shuffle(
            answers.map(({ option }) => option),
            random,
          );
          return answers.map((each, index) => ({ ...each, option: options[index]! }));
        }),
        'random in the second half': some.map((answers) =>
          answers.map((each, index) => (index < answers.length / 2 ? each : drawAnswer(each, bank, random))),
        ),
        'one option throughout': some
          .slice(0, 20)
          .map((answers) => answers.map((each) => ({ ...each, option: 3 }))),
      };
      return describeFlags(
        `real people, ${name}, parameters ${parameters}`,
        new Map(Object.entries(groups).map(([group, sets]) => [group, judgeAll(sets, bank)])),
      );
    }),
  );
}

function drawAnswer(answer: Answer, bank: ItemBank<string>, random: () => number): Answer {
  const { thresholds } = bank.graded.find(({ id }) => id === answer.item_id)!;
  return { ...answer, option: drawBelow(random, thresholds.length + 1) };
}

/** Measures what the quality of one complete assessment costs: the least of many times, because other work can only add to it. */
async function measureCost(answerSets: readonly (readonly Answer[])[]): Promise<Table> {
  const times = [];
  for (const answers of [...answerSets, ...answerSets])
    times.push(await measureTime(() => judgeAll([answers], itemBank)));
  return {
    head: ['quality of an assessment, after the first stage and at the end together', 'time'],
    rows: [['the least of many', formatMilliseconds(Math.min(...times))]],
  };
}
