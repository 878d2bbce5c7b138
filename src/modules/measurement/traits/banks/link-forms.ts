import {
  linkScales,
  moveParameters,
  type Anchor,
  type ItemParameters,
  type ScaleLink,
} from '@tessera/psychometrics';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import {
  listParameters,
  type BankParameters,
  type ItemBank,
  type LanguageParameters,
} from '../items/bank.ts';
import type { GradedItem } from '../items/item.ts';
import { ownBank } from '../parameters/store.ts';
import { loadBankVersion } from './bank-version.ts';
import { readAnchors } from './read-anchors.ts';
import { storeDerivedVersion } from './derive-version.ts';

type LinkedForm = {
  readonly bank: string;
  /** The version on the scale of the anchors. */
  readonly version: string;
  readonly is_new: boolean;
  readonly scales: readonly (ScaleLink & {
    readonly scale: string;
    readonly anchors: number;
    /** The root mean square of the differences of the anchors' locations that the link leaves. */
    readonly rms: number;
  })[];
  /** The scales without enough anchors, which stay as they are. */
  readonly unlinked: readonly string[];
};

const fewest_anchors = 3;

/**
 * Puts a version of a bank onto the scale of an earlier form by the statements that both have, and stores the result as another version. The errors of the
 * link itself are not part of the errors of the parameters.
 *
 * @throws OperatorError for an unknown bank or version, a file that cannot be read, or a file without enough anchors.
 */
export async function linkForms(
  platform: Pick<Platform, 'database' | 'memory' | 'now'>,
  { anchors: file = '', ...input }: Readonly<Record<string, string>>,
): Promise<LinkedForm> {
  const from = await loadBankVersion(platform, input);
  const { bank, items } = from;
  if (bank === ownBank) throw new OperatorError('link an imported bank; our own defines its scale itself');
  const anchors = await readAnchors(platform, file);
  const links = findLinks(file, items, anchors);
  const linked_from = items.parameter_version;
  const { version, is_new } = await storeDerivedVersion(platform, from, {
    parameters: listParameters(moveBank(items, links)),
    report: { linked_from, links: [...links.values()] },
    action: 'items.linked',
    detail: { linked_from },
  });
  const unlinked = items.traits.filter((scale) => !links.has(scale));
  return { bank, version, is_new, scales: [...links.values()], unlinked };
}

type Link = LinkedForm['scales'][number];

function findLinks(
  file: string,
  { graded }: ItemBank<string>,
  known: ReadonlyMap<string, ItemParameters>,
): ReadonlyMap<string, Link> {
  const shared = graded.filter(({ id }) => known.has(id));
  const wrong = shared.find(({ id, thresholds }) => known.get(id)!.thresholds.length !== thresholds.length);
  if (wrong) throw new OperatorError(`${file}: the anchor ${wrong.id} has another number of thresholds`);
  const byScale = Map.groupBy(shared, ({ trait }) => trait);
  const links = [...byScale].flatMap(([scale, items]) => {
    if (items.length < fewest_anchors) return [];
    const anchors = items.map((from) => ({ from, to: known.get(from.id)! }));
    const link = linkScales(anchors);
    return [[scale, { scale, ...link, anchors: anchors.length, rms: computeRest(anchors, link) }] as const];
  });
  if (links.length === 0)
    throw new OperatorError(`${file} has fewer than ${fewest_anchors} anchors of every scale of the bank`);
  return new Map(links);
}

function computeRest(anchors: readonly Anchor[], link: ScaleLink): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const differences = anchors.map(
    ({ from, to }) => mean(moveParameters(from, link).thresholds) - mean(to.thresholds),
  );
  return Math.sqrt(mean(differences.map((each) => each ** 2)));
}

function moveBank(bank: ItemBank<string>, links: ReadonlyMap<string, ScaleLink>): ItemBank<string> {
  const move = (item: GradedItem<string>): GradedItem<string> => {
    const link = links.get(item.trait);
    return link ? moveWithErrors(item, link) : item;
  };
  const { languages } = bank;
  return {
    ...bank,
    graded: bank.graded.map(move),
    retired: (bank.retired ?? []).map(move),
    ...(languages && { languages: moveLanguages(bank, links) }),
  };
}

/** Moves the parameters that statements have in other languages. */
function moveLanguages(
  { languages = {}, itemsById }: ItemBank<string>,
  links: ReadonlyMap<string, ScaleLink>,
): LanguageParameters {
  const move = ([id, parameters]: [string, LanguageParameters[string]['items'][string]]) => {
    const link = links.get(itemsById.get(id)?.trait ?? '');
    return [id, link ? moveWithErrors(parameters, link) : parameters] as const;
  };
  return Object.fromEntries(
    Object.entries(languages).map(([language, { alike, items }]) => [
      language,
      { alike, items: Object.fromEntries(Object.entries(items).map(move)) },
    ]),
  );
}

/** Moves parameters and their standard errors, which have no zero. */
function moveWithErrors<Parameters extends BankParameters['items'][string]>(
  parameters: Parameters,
  link: ScaleLink,
): Parameters {
  const { standard_errors } = parameters;
  return {
    ...parameters,
    ...moveParameters(parameters, link),
    ...(standard_errors && { standard_errors: moveParameters(standard_errors, { ...link, intercept: 0 }) }),
  };
}
