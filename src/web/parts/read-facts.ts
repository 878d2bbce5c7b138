import type * as reads from '#modules/income/reads';
import * as archetypes from '#modules/measurement/archetypes';
import type { OperationBody } from '#platform/operation.ts';
import type { Visit } from '../serving/page.ts';
import type { Fact } from './facts.ts';

type ReadData = OperationBody<typeof reads.previewRead>;

/** Lists what a paid read says, in words: for the organisation that has made it, and for the member as an example of it. */
export async function listReadFacts(visit: Visit, data: ReadData): Promise<readonly Fact[]> {
  const { newRead: words, jobEditor, reads: readTexts } = visit.texts;
  const label = (name: keyof typeof words.labels) => words.labels[name];
  const facts: Fact[] = [[words.completeness, words.completenessWords[data.data_completeness]]];
  if (data.archetype !== 'not_included')
    facts.push([readTexts.types.archetype, await nameArchetype(visit, data.archetype)]);
  for (const [family, tier] of Object.entries(data.trait_tiers))
    if (tier !== 'not_included')
      facts.push([jobEditor.families[family as keyof typeof data.trait_tiers], label(tier)]);
  for (const [value, band] of Object.entries(data.values ?? {}))
    facts.push([words.values[value as keyof typeof words.values], label(band)]);
  if (data.alignment) {
    const { culture_basis, ...parts } = data.alignment;
    for (const [part, each] of Object.entries(parts))
      facts.push([words.alignment[part as keyof typeof parts], label(each)]);
    if (culture_basis) facts.push([words.cultureBasis, words.cultureBases[culture_basis]]);
  }
  return facts;
}

async function nameArchetype(visit: Visit, code: string): Promise<string> {
  const { archetypes: list } = await visit.call(archetypes.listArchetypes);
  return list.find(({ archetype }) => archetype === code)?.name ?? visit.texts.newRead.undetermined;
}
