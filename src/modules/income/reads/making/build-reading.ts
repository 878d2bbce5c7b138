import { LRUCache } from 'lru-cache';
import { describeArchetype, type ArchetypeCode } from '#modules/measurement/archetypes';
import type { ReadConsent } from '#modules/people/consent';
import type { LatestVector } from '#modules/measurement/traits';
import { traitFamilyNames } from '#modules/measurement/traits';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { computePseudonym, createFixedDraws } from '../pseudonym.ts';
import { chooseCompleteness, type DataType, type WantedRead } from '../rules.ts';
import { labelFamilies, labelValues } from './tiers.ts';
import { not_included, type ReadResult } from '../wire.ts';

export type Reading = ReadResult['data'];

type ReadingServices = Pick<Services, 'memory' | 'secrets'>;

/**
 * Builds what an organisation reads of a member, except the alignment. Each part is in the reply only if it belongs to what was bought; a
 * trait profile also has the archetype if the member approves that category.
 */
export function buildReading(
  services: ReadingServices,
  { org_id, member_id, known_as, data_type }: WantedRead,
  vector: LatestVector,
  { approved }: ReadConsent,
): Reading {
  const drawFixed = createFixedDraws(services, member_id);
  const hasArchetype =
    data_type === 'archetype' || (data_type === 'trait_profile' && approved.has('archetype'));
  return {
    member_pseudonym: computePseudonym(services, org_id, known_as),
    archetype: hasArchetype ? findReadArchetype(services, member_id, vector) : not_included,
    trait_tiers: data_type === 'trait_profile' ? labelFamilies(vector, drawFixed) : hiddenTiers,
    data_completeness: chooseCompleteness(vector),
    ...(data_type === 'values_profile' && { values: labelValues(vector, drawFixed) }),
  };
}

const hiddenTiers = Object.fromEntries(
  traitFamilyNames.map((family) => [family, not_included]),
) as Reading['trait_tiers'];

/** An archetype takes a third of a millisecond, and stays the same until the member is measured again. */
const getArchetypes = instanceMemory(
  () => new LRUCache<string, ArchetypeCode | 'undetermined'>({ max: 20_000 }),
);

/** Finds the archetype that a read says. */
export function findReadArchetype(
  services: Pick<Services, 'memory'>,
  member_id: string,
  vector: LatestVector,
): ArchetypeCode | 'undetermined' {
  const archetypes = getArchetypes(services);
  const key = `${member_id} ${vector.version} ${vector.created_at.getTime()}`;
  const known = archetypes.get(key);
  if (known !== undefined) return known;
  const found = describeArchetype(vector).archetype ?? 'undetermined';
  archetypes.set(key, found);
  return found;
}

/** Whether the data type compares the member with the culture of the organisation. */
export function doesNeedCulture(data_type: DataType): boolean {
  return data_type === 'alignment';
}
