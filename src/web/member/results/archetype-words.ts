import type { Visit } from '../../serving/page.ts';
import type { Archetype, Archetypes } from '../archetype-list.ts';
import { describeClaim, type OrderedTraits } from './measured-traits.ts';

/** The name of the archetype, or the two families that the member is between. */
export function nameArchetype(
  { texts: { archetype: texts } }: Visit,
  { name, alternatives }: Archetype,
): string {
  const [one, other] = alternatives;
  return one && other
    ? texts.betweenTitle(texts.families[one.archetype_family], texts.families[other.archetype_family])
    : name;
}

/** Says in sentences how certain the archetype is, first its family and then itself. */
export function describeCertainty(visit: Visit, own: Archetype, all: Archetypes): readonly string[] {
  const { archetype: texts } = visit.texts;
  const { certainty, archetype_family, family_probability, name, confidence_level, runner_up } = own;
  if (archetype_family === null) return [`${texts.certainty[certainty]}.`, texts.alternatives];
  const next = all.archetypes.find(({ archetype }) => archetype === runner_up)?.name ?? '';
  return [
    `${texts.certainty[certainty]}.`,
    texts.retest(visit.format.formatPercent(family_probability), texts.families[archetype_family]),
    texts.within[confidence_level](name, next),
  ];
}

/** Lists the clear traits of the member that are typical of their archetype, each in words; none while no archetype is certain. */
export function listReasons(
  { texts: { traits: texts } }: Visit,
  own: Archetype,
  { archetypes: list }: Archetypes,
  { clear }: OrderedTraits,
): readonly (readonly [name: string, claim: string])[] {
  const typical = list.find(({ archetype }) => archetype === own.archetype);
  if (typical === undefined) return [];
  return clear.flatMap(({ trait_name, result }) => {
    if (!('score' in result)) return [];
    const side = result.word === 'more' || result.word === 'much_more' ? typical.high : typical.low;
    const isTypical = result.word !== 'average' && side.includes(trait_name);
    return isTypical ? [[texts.names[trait_name], describeClaim(texts, result)] as const] : [];
  });
}
