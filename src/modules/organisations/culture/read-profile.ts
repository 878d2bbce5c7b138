import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { questionnaireVersion } from './questionnaire.ts';
import { minimum_respondents, countMissingRespondents } from './rules.ts';
import { countUnpublished, findProfile } from './store.ts';
import { cultureProfileWire, toWire } from './wire.ts';

export const readProfile = operation({
  name: 'culture.readProfile',
  title: 'Read the culture profile',
  summary: 'Reads the organisation’s culture profile: the latest version, or a given one.',
  who: orgRoles,
  input: Type.Object({
    version: Type.Optional(
      field(
        Type.Integer({ minimum: 1, maximum: 1_000_000 }),
        'An earlier version: 1 is the first. Without it, the latest.',
        4,
      ),
    ),
  }),
  output: { 200: cultureProfileWire },
  refuses: ['culture_profile_not_ready', 'culture_profile_not_found'],
  run: async ({ database, caller: { org_id } }, { version }) => {
    const profile = await findProfile(database, org_id, version);
    if (profile) return toWire(profile);
    if (version !== undefined) throw new Refusal('culture_profile_not_found');
    const survey = { org_id, questionnaire_version: questionnaireVersion };
    const missing = countMissingRespondents(await countUnpublished(database, survey));
    throw new Refusal('culture_profile_not_ready', {
      detail: `At least ${minimum_respondents} users must answer the culture questionnaire; still missing: ${missing}.`,
    });
  },
});
