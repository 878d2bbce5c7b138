import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { OperatorError } from '#platform/command-line.ts';
import type { ReadingServices } from '../banks/bank-version.ts';
import type { ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import type { Answer } from '../items/item.ts';
import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import { measureAnswers, type Measurement } from '../measurement/measure-answers.ts';
import type { LatentVector } from '../measurement/trait-vector.ts';
import { listMemberAnswers } from './list-member-answers.ts';
import { claimPosition, type Claim, type TraitWord } from '../measurement/trait-words.ts';
import { buildDecidedVersion } from '../parameters/apply-decisions.ts';
import { buildStoredBank, loadItemBank, resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { findParameterVersion, ownBank } from '../parameters/store.ts';
import { buildTraitNorms, type TraitNorms } from '../parameters/trait-norms.ts';

/** What becomes of the clear words about a trait. */
export type WordChanges = {
  readonly kept: number;
  /** Another word of the same side. */
  readonly changed: number;
  /** A word of the other side. */
  readonly turned: number;
  readonly appeared: number;
  readonly disappeared: number;
};

export type WordPreview = {
  readonly in_use: string;
  /** The version that would be in use: with the decisions about statements that stand. */
  readonly version: string;
  readonly members: number;
  /** Members whose answers one of the versions does not know. */
  readonly left_out: number;
  readonly traits: readonly ({ readonly trait: string } & WordChanges)[];
};

/** The positions of the members by which matching computes tiers, and what each version says about the population. */
export type RemeasuredMembers = {
  readonly preview: WordPreview;
  readonly vectors: readonly { readonly before: LatentVector; readonly after: LatentVector }[];
  readonly norms: { readonly before: TraitNorms; readonly after: TraitNorms };
};

const fewest_members = 10;
const members_max = 20_000;

/**
 * Says what a version of our own bank would change for members before it is used: their complete answers are measured with it and with the version in use, and
 * the clear words are compared. The positions come along for the tiers of matches. Nothing is stored.
 *
 * @throws OperatorError for an unknown version, one of another bank, or fewer than ten members.
 */
export async function compareVersion(
  platform: ReadingServices,
  { version: named = '', people = '1000' }: Readonly<Record<string, string>>,
  output: ProgressOutput = process.stderr,
): Promise<RemeasuredMembers> {
  const most = readPeople(people);
  const { database } = platform;
  // Of another bank, a version whose scales have no traits cannot be decided about, and yet it exists.
  const stored = await findParameterVersion(database, named);
  if (stored && stored.bank !== ownBank)
    throw new OperatorError(
      'results from our own bank stay as they are with another one: nothing to preview',
    );
  const decided = await buildDecidedVersion(database, named);
  if (!decided) throw new OperatorError(`the version "${named.slice(0, 100)}" does not exist`);
  const { version } = decided;
  const in_use = await resolveVersionInUse(database);
  const before = await loadItemBank(platform, database, in_use);
  if (before.name !== undefined)
    throw new OperatorError(`another bank than ours is in use (${before.name}): nothing to compare with`);
  const after = await buildStoredBank(database, version, decided);
  const answerSets = await listAnswerSets(platform, most);
  const known = answerSets.filter((answers) => isKnown(answers, before) && isKnown(answers, after));
  if (known.length < fewest_members)
    throw new OperatorError(
      `a preview needs at least ${fewest_members} members with complete answers, but there are ${known.length}`,
    );
  const drawProgress = createProgressBar('measuring', output);
  const endLongTurn = createTurnEnder();
  const measured: { readonly before: Measurement; readonly after: Measurement }[] = [];
  for (const answers of known) {
    await endLongTurn();
    measured.push({ before: measureAnswers(answers, before), after: measureAnswers(answers, after) });
    drawProgress(measured.length, known.length);
  }
  return {
    preview: {
      in_use,
      version,
      members: known.length,
      left_out: answerSets.length - known.length,
      traits: countAllChanges(measured.map((each) => [claim(each.before), claim(each.after)] as const)),
    },
    vectors: measured.map((each) => ({ before: each.before.latent, after: each.after.latent })),
    norms: { before: buildTraitNorms(before), after: buildTraitNorms(after) },
  };
}

type Claims = ReadonlyMap<string, Claim>;

function countAllChanges(compared: readonly (readonly [before: Claims, after: Claims])[]) {
  return itemBank.traits.map((trait) => ({
    trait,
    ...countChanges(compared.map(([one, other]) => [one.get(trait)!, other.get(trait)!])),
  }));
}

function readPeople(text: string): number {
  const count = Number(text);
  if (/^\d{1,5}$/.test(text) && count >= fewest_members && count <= members_max) return count;
  throw new OperatorError(`--people must be a whole number from ${fewest_members} to ${members_max}`);
}

async function listAnswerSets(
  { database }: Pick<ReadingServices, 'database'>,
  most: number,
): Promise<readonly (readonly Answer[])[]> {
  const sets: (readonly Answer[])[] = [];
  for await (const { answers } of listMemberAnswers(database)) {
    sets.push(answers);
    if (sets.length === most) break;
  }
  return sets;
}

function isKnown(answers: readonly Answer[], bank: ItemBank): boolean {
  return answers.every(({ item_id }) => bank.itemsById.has(item_id));
}

function claim({ vector }: Measurement): Claims {
  return new Map(vector.traits.map((trait) => [trait.trait_name, claimPosition(trait)]));
}

function countChanges(pairs: readonly (readonly [before: Claim, after: Claim])[]): WordChanges {
  const changes = pairs.map(([before, after]) => compareClaims(before, after));
  const count = (change: keyof WordChanges) => changes.filter((each) => each === change).length;
  return {
    kept: count('kept'),
    changed: count('changed'),
    turned: count('turned'),
    appeared: count('appeared'),
    disappeared: count('disappeared'),
  };
}

const sides: Readonly<Record<TraitWord, number>> = {
  much_less: -1,
  less: -1,
  average: 0,
  more: 1,
  much_more: 1,
};

function compareClaims(before: Claim, after: Claim): keyof WordChanges | undefined {
  const [one, other] = [before, after].map(({ word, certainty }) => (certainty === 'clear' ? word : null));
  if (!one && !other) return undefined;
  if (!one) return 'appeared';
  if (!other) return 'disappeared';
  if (one === other) return 'kept';
  return sides[one] * sides[other] < 0 ? 'turned' : 'changed';
}

/** Sums the changes of words over all traits. */
export function sumWordChanges(traits: WordPreview['traits']): WordChanges {
  const sum = (change: keyof WordChanges) => traits.reduce((total, each) => total + each[change], 0);
  return {
    kept: sum('kept'),
    changed: sum('changed'),
    turned: sum('turned'),
    appeared: sum('appeared'),
    disappeared: sum('disappeared'),
  };
}
