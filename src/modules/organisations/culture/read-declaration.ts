import { orgRoles } from '#lib/caller.ts';
import { operation } from '#platform/operation.ts';
import { findDeclarationFacts } from './find-declaration-facts.ts';
import { decideDeclaration } from './rules.ts';
import { declarationTermsWire } from './wire.ts';

export const readDeclaration = operation({
  name: 'culture.readDeclaration',
  title: 'Read whether a culture profile can be declared',
  summary:
    'Reads whether the organisation may declare its culture profile now, and if not, why and from when.',
  who: orgRoles,
  output: { 200: declarationTermsWire },
  run: async ({ database, caller: { org_id }, now }) => {
    const { refused, possible_from } = decideDeclaration(await findDeclarationFacts(database, org_id), now());
    return { refused, possible_from: possible_from?.toISOString() ?? null };
  },
});
