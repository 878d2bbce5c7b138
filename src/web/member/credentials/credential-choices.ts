import * as archetypes from '#modules/measurement/archetypes';
import type * as credentials from '#modules/credentials/credentials';
import * as traits from '#modules/measurement/traits';
import type { OperationInput } from '#platform/operation.ts';
import type { Visit } from '../../serving/page.ts';

type Draft = Pick<OperationInput<typeof credentials.issueCredential>, 'credential_type' | 'claims'>;

/** What a credential of the member can say: its name in the form, its words, and the request that issues it. */
export type CredentialChoice = { readonly value: string; readonly label: string; readonly draft: Draft };

/** What a member can state, and why their archetype is not among it: its family is not certain enough. */
export type CredentialChoices = {
  readonly choices: readonly CredentialChoice[];
  /** Undefined if the archetype can be stated. */
  readonly uncertain?: { readonly preliminary: boolean };
};

/** Lists what the member can state about themselves, from their results: an archetype and its family once they are certain enough, and how much is measured. */
export async function listCredentialChoices(visit: Visit): Promise<CredentialChoices> {
  const [own, vector] = await Promise.all([
    visit.call(archetypes.readArchetype),
    visit.call(traits.readTraits),
  ]);
  const trait_coverage = computeCoverage(vector.traits);
  const share = visit.format.formatPercent(trait_coverage);
  const { issueCredential: texts, archetype: words } = visit.texts;
  const coverage = {
    value: 'coverage',
    label: texts.choices.coverage(share),
    draft: { credential_type: 'trait_attestation' as const, claims: { trait_coverage } },
  };
  const measured = trait_coverage > 0 ? [coverage] : [];
  const { archetype, archetype_family, name, preliminary } = own;
  if (archetype === null || archetype_family === null)
    return { choices: measured, uncertain: { preliminary } };
  const claims = { archetype_family, archetype };
  const family = words.families[archetype_family];
  const ofArchetype: readonly CredentialChoice[] = [
    {
      value: 'archetype',
      label: texts.choices.archetype(name, family),
      draft: { credential_type: 'archetype_attestation', claims },
    },
    {
      value: `family-${archetype_family}`,
      label: texts.choices.family(family),
      draft: { credential_type: 'archetype_attestation', claims: { archetype_family } },
    },
  ];
  const both: CredentialChoice = {
    value: 'traits',
    label: texts.choices.traits(name, share),
    draft: { credential_type: 'trait_attestation', claims: { ...claims, trait_coverage } },
  };
  return { choices: [...ofArchetype, ...(trait_coverage > 0 ? [both] : []), ...measured] };
}

const traits_total = 20;
const measured_confidence_min = 0.5;

/** Computes the share of the twenty traits that are measured, in two decimals. Of traits without a scale none is counted, so it is never too high. */
function computeCoverage(list: readonly { readonly confidence: number }[]): number {
  const measured = list.filter(({ confidence }) => confidence > measured_confidence_min).length;
  return Math.round((100 * measured) / traits_total) / 100;
}
