import { cholesky, computeCorrelation, flattenRows } from '@tessera/psychometrics';
import { createSeededRandom, drawBelow } from '@tessera/psychometrics/seeded-random';
import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { itemBank } from '../items/item-bank.ts';
import { loadOwnBank } from '../parameters/parameters-in-use.ts';
import { ownBank } from '../parameters/store.ts';
import type { Answer } from '../items/item.ts';
import { drawCorrelatedNormals, simulateStatementOption } from '../measurement/simulated-member.ts';
import type { ItemBank } from '../items/bank.ts';
import { buildUncalibrated } from '../items/build-bank.ts';
import { loadBankVersion, requireForm } from './bank-version.ts';
import { createAsker, readMost, scorePerson, type ScoredPerson } from './score-answers.ts';
import { stoppingRule } from '../measurement/next-item.ts';

/** What a bank would do with people who answer as its parameters say. */
type SimulatedDesign = {
  readonly bank: string;
  /** Null if no version was named: parameters are then assumed, and scales count as independent. */
  readonly version: string | null;
  readonly people: number;
  readonly length: { readonly mean: number; readonly shortest: number; readonly longest: number };
  readonly precision: readonly {
    readonly trait: string;
    /** The correlation of the scores with the true values. */
    readonly r: number;
    readonly mean_sd: number;
    /** The share of true values within the 95 % bounds. */
    readonly covered: number;
  }[];
  readonly exposure: {
    readonly highest: number;
    readonly never_asked: number;
    readonly items: readonly { readonly item_id: string; readonly share: number }[];
  };
  /** The shares of people with a flag, of those who answer as the parameters say and of those who answer at random. */
  readonly flags: { readonly honest: number; readonly random: number };
};

const people_max = 5_000;

/**
 * Simulates people who answer a bank as the service would ask it, before anybody does: how long it takes, how precise it is, how often each statement is
 * asked, and who is flagged. The same seed gives the same figures.
 *
 * @throws OperatorError for an unknown bank or version, or a number that is none.
 */
export async function simulateDesign(
  platform: Pick<Platform, 'database' | 'memory'>,
  { bank = '', version, people = '200', most, seed = '1' }: Readonly<Record<string, string>>,
  output: ProgressOutput = process.stderr,
): Promise<SimulatedDesign> {
  const [count, seedNumber] = [readCount('--people', people, people_max), readCount('--seed', seed, 1e9)];
  const items = await loadDesign(platform, bank, version);
  const random = createSeededRandom(seedNumber);
  const ask = createAsker(items, readMost(most) ?? stoppingRule.most_items);
  const drawProgress = createProgressBar('simulating', output);
  const root = cholesky(flattenRows(items.covariance));
  const simulated = Array.from({ length: count }, (_, person) => {
    const truth = drawCorrelatedNormals(root, random);
    const honest = simulate(items, String(person), ask, (slot, item) =>
      simulateStatementOption(item, truth[slot]!, random),
    );
    const careless = simulate(items, `random-${person}`, ask, (_, { thresholds }) =>
      drawBelow(random, thresholds.length + 1),
    );
    drawProgress(person + 1, count);
    return { truth, honest, careless };
  });
  return { bank, version: version ?? null, ...summarise(items, simulated) };
}

function readCount(flag: string, text: string, most: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  throw new OperatorError(`${flag} must be a whole number from 1 to ${most}`);
}

async function loadDesign(
  platform: Pick<Platform, 'database' | 'memory'>,
  bank: string,
  version: string | undefined,
): Promise<ItemBank<string>> {
  if (version !== undefined) return (await loadBankVersion(platform, { bank, version })).items;
  if (bank === ownBank) return loadOwnBank(platform.database);
  return { ...buildUncalibrated(await requireForm(platform, bank)), errors: itemBank.errors };
}

type Simulated = {
  readonly truth: readonly number[];
  readonly honest: ScoredPerson;
  readonly careless: ScoredPerson;
};

function simulate(
  items: ItemBank<string>,
  person: string,
  ask: ReturnType<typeof createAsker>,
  choose: (slot: number, item: ItemBank<string>['graded'][number]) => number,
): ScoredPerson {
  const answers: readonly Answer[] = items.graded.map((item) => ({
    item_id: item.id,
    option: choose(items.slots.get(item.trait)!, item),
  }));
  return scorePerson(person, ask(answers, person), items);
}

function summarise(items: ItemBank<string>, simulated: readonly Simulated[]) {
  const people = simulated.length;
  const share = (matches: (each: Simulated) => boolean) => simulated.filter(matches).length / people;
  const average = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const lengths = simulated.map(({ honest }) => honest.asked);
  const asked = Map.groupBy(
    simulated.flatMap(({ honest }) => honest.asked_items),
    (id) => id,
  );
  const exposures = items.graded.map(({ id }) => ({
    item_id: id,
    share: (asked.get(id)?.length ?? 0) / people,
  }));
  return {
    people,
    length: { mean: average(lengths), shortest: Math.min(...lengths), longest: Math.max(...lengths) },
    precision: items.traits.map((trait, slot) => {
      const scores = simulated.map(({ honest }) => honest.traits[slot]!);
      const truths = simulated.map(({ truth }) => truth[slot]!);
      return {
        trait,
        r: computeCorrelation(
          scores.map(({ mean }) => mean),
          truths,
        ),
        mean_sd: average(scores.map(({ sd }) => sd)),
        covered: average(
          scores.map(({ lower, upper }, index) => Number(truths[index]! >= lower && truths[index]! <= upper)),
        ),
      };
    }),
    exposure: {
      highest: Math.max(...exposures.map((each) => each.share)),
      never_asked: exposures.filter((each) => each.share === 0).length,
      items: exposures,
    },
    flags: {
      honest: share(({ honest }) => honest.quality_flags.length > 0),
      random: share(({ careless }) => careless.quality_flags.length > 0),
    },
  };
}

/** Leaves the statements out; `--json` prints all of them. */
export function summariseDesign({ precision, exposure, ...summary }: SimulatedDesign) {
  const traits = precision.map(
    ({ trait, r, mean_sd, covered }) =>
      [
        trait,
        `r ${r.toFixed(3)}, mean sd ${mean_sd.toFixed(2)}, ${(100 * covered).toFixed(1)} % within the bounds`,
      ] as const,
  );
  const { highest, never_asked } = exposure;
  return {
    ...summary,
    exposure: { highest, never_asked },
    precision: Object.fromEntries(traits) as Readonly<Record<string, string>>,
  };
}
