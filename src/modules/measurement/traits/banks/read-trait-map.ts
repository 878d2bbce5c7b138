import { OperatorError } from '#platform/command-line.ts';
import type { TraitMap } from '../items/bank.ts';
import type { BankScale } from '../items/bank-form.ts';
import { continuousTraits, type ContinuousTrait } from '../taxonomy.ts';
import { readNamedRows } from './csv-rows.ts';

/**
 * Reads which of our traits the scales of a bank measure: CSV with the columns `scale`, `trait` and, for a scale that measures the opposite, `sign`
 * (`+` or `-`). Scales without a trait are not asked.
 *
 * @throws OperatorError that names the line and the column of the first error.
 */
export async function readTraitMap(file: string, scales: readonly BankScale[]): Promise<TraitMap> {
  const map: Record<string, TraitMap[string]> = {};
  for await (const { cells, where } of readNamedRows(file, ['scale', 'trait'])) {
    const { scale = '', trait = '', sign = '' } = cells;
    if (Object.hasOwn(map, scale))
      throw new OperatorError(`${where}, column scale: "${scale.slice(0, 40)}" is there twice`);
    if (trait === '') continue;
    map[scale] = { trait: requireTrait(trait, where), sign: requireSign(sign, where) };
    requireMap(where, map, scales);
  }
  if (Object.keys(map).length === 0) throw new OperatorError(`${file} names no trait`);
  return map;
}

/** Reads the map that the statements of a bank have in their column `trait`. @throws OperatorError if none has one, or for a trait without a scale. */
export function readOwnMap(bank: string, scales: readonly BankScale[]): TraitMap {
  const named = scales.filter(({ trait }) => trait !== null);
  if (named.length === 0)
    throw new OperatorError(
      `the scales of the bank "${bank}" name no trait; --map says which traits they measure`,
    );
  const map = Object.fromEntries(
    named.map(({ scale, trait }) => [
      scale,
      { trait: requireTrait(trait!, `the bank "${bank}"`), sign: '+' as const },
    ]),
  );
  requireMap(`the bank "${bank}"`, map, scales);
  return map;
}

/** @throws OperatorError for a scale that the version does not have, or a trait that two scales measure. */
export function requireMap(where: string, map: TraitMap, scales: readonly BankScale[]): void {
  const mapped = new Map<string, string>();
  for (const [scale, { trait }] of Object.entries(map)) {
    if (!scales.some((each) => each.scale === scale))
      throw new OperatorError(`${where}, column scale: "${scale.slice(0, 40)}" is no scale of this version`);
    const other = mapped.get(trait);
    if (other !== undefined)
      throw new OperatorError(
        `${where}, column trait: "${trait}" is measured by "${other.slice(0, 40)}" already; a trait has one scale`,
      );
    mapped.set(trait, scale);
  }
}

function requireTrait(text: string, where: string): ContinuousTrait {
  const trait = continuousTraits.find((code) => code === text);
  if (trait === undefined)
    throw new OperatorError(`${where}, column trait: "${text.slice(0, 40)}" is not a trait on a scale`);
  return trait;
}

function requireSign(text: string, where: string): '+' | '-' {
  if (text === '' || text === '+') return '+';
  if (text === '-') return '-';
  throw new OperatorError(`${where}, column sign: "${text.slice(0, 40)}" is neither + nor -`);
}
