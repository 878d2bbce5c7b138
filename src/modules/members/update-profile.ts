import { Type, type Static } from 'typebox';
import { operation } from '#platform/operation.ts';
import { changeMember } from './change-member.ts';
import type { Profile } from './rules.ts';
import { memberWire, profileFields, toWire } from './wire.ts';

const input = Type.Partial(Type.Object(profileFields));

export const updateProfile = operation({
  name: 'members.updateProfile',
  summary: 'Replaces the caller’s profile. Fields that are left out become null.',
  who: ['member'],
  input,
  output: { 200: memberWire },
  refuses: ['member_not_found'],
  run: (context, fields) =>
    context.transaction(async (tx) =>
      toWire(await changeMember(context, tx, context.caller.member_id, toProfile(fields))),
    ),
});

function toProfile(fields: Static<typeof input>): Profile {
  return {
    current_industry: fields.current_industry ?? null,
    years_experience: fields.years_experience ?? null,
    education_level: fields.education_level ?? null,
    location_country: fields.location_country ?? null,
    location_state: fields.location_state ?? null,
  };
}
