import * as traits from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import type { Visit } from '../../serving/page.ts';

export type Vector = OperationBody<typeof traits.readTraits>;
export type Taxonomy = OperationBody<typeof traits.readTaxonomy>;
/** What a page about traits needs of a result. */
export type Results = Pick<Vector, 'traits' | 'categorical_traits'>;
export type Scale = Vector['traits'][number];
export type Ways = Vector['categorical_traits'][number];
export type MeasuredTrait = Taxonomy['traits'][number] & { readonly result: Scale | Ways };

/** All traits by what is known about them, those furthest from the middle first. */
export type OrderedTraits = Readonly<Record<Scale['certainty'], readonly MeasuredTrait[]>>;

/** Orders all traits by interest, for the page and the document alike: what is clear, what is likely, and what is open. */
export function sortTraits(vector: Results, { traits: all }: Taxonomy): OrderedTraits {
  const sorted = sortByMark(all.map((trait) => joinResult(trait, vector)));
  const select = (certainty: Scale['certainty']) =>
    sorted.filter(({ result }) => result.certainty === certainty);
  return { clear: select('clear'), likely: select('likely'), open: select('open') };
}

function joinResult(
  trait: Taxonomy['traits'][number],
  { traits: scales, categorical_traits }: Results,
): MeasuredTrait {
  const result = [...scales, ...categorical_traits].find(({ trait_name }) => trait_name === trait.trait_name);
  if (result === undefined) throw new Error(`no result of ${trait.trait_name}`);
  return { ...trait, result };
}

/** Sorts traits by how far they are from the middle. Ways of acting have no place, and follow. */
function sortByMark(list: readonly MeasuredTrait[]): readonly MeasuredTrait[] {
  const computeMark = ({ result }: MeasuredTrait) => ('score' in result ? Math.abs(result.score - 0.5) : 0);
  return list.toSorted((one, other) => computeMark(other) - computeMark(one));
}

/** Says in a sentence how much is clear, and which trait most of all. */
export function summariseClear(
  { texts: { traits: texts } }: Visit,
  { clear, likely, open }: OrderedTraits,
): string {
  const [first] = clear;
  if (first === undefined) return texts.noneClear;
  const total = clear.length + likely.length + open.length;
  const name = texts.names[first.trait_name];
  return 'score' in first.result
    ? texts.summary(clear.length, total, name, describeClaim(texts, first.result))
    : texts.summaryOfWay(clear.length, total, name);
}

/** Says what the bounds of a position support. */
export function describeClaim(
  { words, leaning, unknown }: Visit['texts']['traits'],
  { word, certainty }: Scale,
): string {
  if (word === null) return unknown;
  return certainty === 'likely' && (word === 'less' || word === 'more') ? leaning[word] : words[word];
}

/** The places of a hundred people in which a position probably is. */
export function describeBounds({ texts, format }: Visit, { lower_bound, upper_bound }: Scale): string {
  const formatPlace = (share: number) => format.formatNumber(Math.min(100, Math.floor(share * 100) + 1));
  return texts.traits.range(formatPlace(lower_bound), formatPlace(upper_bound));
}

/** Two ways whose probabilities differ by less are called equally likely. */
const even_difference = 0.05;

/** Says which way of acting is known to be preferred. None is named before the others unless it is clear or likely. */
export function describeWays({ texts }: Visit, ways: Ways): string {
  const { evenWays, openWays, likelyWay } = texts.traits;
  const sorted = sortWays(ways);
  const [first = '', second = ''] = sorted.map(({ value }) => nameWay(texts, value));
  const [most = 0, next = 0] = sorted.map(({ probability }) => probability);
  const open = most - next < even_difference ? evenWays(first, second) : openWays;
  return { clear: first, likely: likelyWay(first), open }[ways.certainty];
}

/** Lists ways of acting, the most preferred first. */
export function sortWays({ distribution }: Ways): Ways['distribution'] {
  return distribution.toSorted((one, other) => other.probability - one.probability);
}

export function nameWay({ traits: { values } }: Visit['texts'], value: string): string {
  const names: Readonly<Record<string, string>> = values;
  return names[value] ?? value;
}

/**
 * Says what would clear the open traits: how many more statements, as the assessment computes it from what it has measured. Undefined once it is
 * complete, and for a member who has withdrawn from it.
 */
export async function describeClearing(visit: Visit, { preliminary }: Vector): Promise<string | undefined> {
  if (!preliminary) return undefined;
  const assessment = await readUnlessRefused(['consent_required'], () => visit.call(traits.startAssessment));
  if (assessment === undefined) return undefined;
  const { deepening, progress } = assessment;
  const left = deepening?.items ?? progress.estimated_total - progress.answered;
  if (left <= 0) return undefined;
  const minutes = deepening?.minutes ?? progress.minutes_left;
  return visit.texts.traits.clearing(left, visit.format.formatDuration(60 * Math.max(1, minutes)));
}
