import { Type } from 'typebox';
import { createBodyRefusal, Refusal } from '#lib/refusal.ts';
import { listNamedAchievements, type Achievement } from '#modules/credentials/achievements';
import { referenceInput } from '#modules/matching/jobs';
import { checkVerifiedAdmin } from '#modules/matching/matches';
import type { Reader } from '#platform/database/database.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field, text, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { attestedTypes } from '../rules.ts';
import { attestationWire, expiryDays, toAttestationWire } from '../wire.ts';
import { attestPerson, checkContent } from './attest-person.ts';
import { checkStanding } from './check-standing.ts';

const claimsInput = closedObject({
  statement: Type.Optional(
    field(text(500), 'What the organisation says.', 'Led the sampling of 40 sites without a missed day.'),
  ),
  job_title: Type.Optional(text(200)),
});

export const offerCredential = operation({
  name: 'offers.offerCredential',
  title: 'Offer a credential to a person',
  summary:
    'Attests a person who has agreed to a match with the organisation, or was placed by it: a placement, a statement, or an achievement. The member is asked by email, and the credential exists once the member accepts. The organisation needs a proven domain, which the credential names beside it.',
  who: ['org_admin'],
  input: Type.Object({
    match_id: Type.Optional(uuid),
    member_id: Type.Optional(uuid),
    credential_type: field(Type.Enum(attestedTypes), 'What is attested.', 'placement_attestation'),
    achievement_id: Type.Optional(
      field(uuid, 'An achievement of the organisation, for org_validation.', sampleIds.entry),
    ),
    claims: Type.Optional(claimsInput),
    expiry_days: Type.Optional(expiryDays),
    ...referenceInput,
  }),
  output: { 201: attestationWire },
  location: () => '/orgs/me/credentials',
  refuses: [
    'achievement_not_found',
    'contact_not_shared',
    'credential_offer_exists',
    'email_not_verified',
    'match_not_found',
    'member_not_found',
    'offer_limit_reached',
    'organisation_not_found',
    'outcome_conflict',
    'proven_domain_required',
  ],
  idempotent: true,
  samples: {
    request: {
      match_id: 'e8a3b7d2-0f4c-4e19-9b58-6c1d2f3a7e40',
      credential_type: 'org_validation',
      claims: { statement: 'Led the sampling of 40 sites without a missed day.' },
    },
  },
  tools: [
    {
      name: 'offer_credential',
      title: 'Offer a credential to a person',
      kind: 'write',
      roles: ['org_admin'],
      consent: 'Offer credentials of your organisation to people who have agreed',
      description:
        'Offers a person a credential for which the organisation vouches: placement_attestation (for a recorded placement), or org_validation with a statement in claims or an achievement_id. match_id is of a match with the status member_accepted or placed, from list_job_matches. Read the words to the person you act for before you call it. The member accepts or declines.',
    },
  ],
  checks: [
    ({ match_id, member_id }) => {
      if (match_id === undefined && member_id === undefined)
        throw createBodyRefusal('needs match_id or member_id');
    },
    checkContent,
  ],
  run: async (context, { achievement_id, claims = {}, ...input }) => {
    await checkVerifiedAdmin(context);
    return context.transaction(async (tx) => {
      await checkStanding(context, tx, 1);
      const achievement = await findOpenAchievement(tx, context.caller.org_id, achievement_id);
      const offer = await attestPerson(context, tx, { ...input, achievement, claims });
      return toAttestationWire(offer, context.now());
    });
  },
});

async function findOpenAchievement(
  db: Reader,
  org_id: string,
  id: string | undefined,
): Promise<Achievement | undefined> {
  if (id === undefined) return undefined;
  const [achievement] = await listNamedAchievements(db, org_id, { ids: [id], names: [] });
  if (!achievement) throw new Refusal('achievement_not_found');
  return achievement;
}
