import { Type, type Static } from 'typebox';
import { operation } from '#platform/operation.ts';
import { changeMember } from './change-member.ts';
import type { Profile } from './rules.ts';
import { memberWire, profileFields, toWire } from './wire.ts';

const input = Type.Partial(Type.Object(profileFields));

export const updateProfile = operation({
  name: 'members.updateProfile',
  summary: 'Replaces the caller’s profile: a field that is left out becomes null.',
  who: ['member'],
  input,
  output: { 200: memberWire },
  refuses: ['member_not_found'],
  run: (context, sent) =>
    context.transaction(async (tx) =>
      toWire(await changeMember(context, tx, context.caller.member_id, toProfile(sent))),
    ),
});

function toProfile(sent: Static<typeof input>): Profile {
  return {
    current_industry: sent.current_industry ?? null,
    years_experience: sent.years_experience ?? null,
    education_level: sent.education_level ?? null,
    location_country: sent.location_country ?? null,
    location_state: sent.location_state ?? null,
  };
}
