import { Type, type Static } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { changeLockedMember } from './change-member.ts';
import { profileFields, type Profile } from './profile-fields.ts';
import { memberResource } from './resource.ts';
import { lockMember } from './store.ts';

const input = Type.Partial(Type.Object(profileFields));

export const updateProfile = operation({
  name: 'members.updateProfile',
  summary: 'Replaces the caller’s profile. Fields that are left out become null.',
  who: ['member'],
  input,
  output: { 200: memberResource.wire },
  etag: true,
  refuses: ['member_not_found'],
  tools: [
    {
      name: 'update_profile',
      title: 'Update profile',
      kind: 'write',
      roles: ['member'],
      consent: 'Change your profile',
      isDestructive: true,
      isIdempotent: true,
      description:
        'Replaces the person’s whole profile. A field that is left out becomes empty, so call read_profile first and send all fields that should stay.',
    },
  ],
  run: (context, fields) =>
    context.transaction(async (tx) => {
      const { member_id } = context.caller;
      const before = requireFound(await lockMember(tx, member_id), 'member_not_found');
      await checkIfMatch(context.request, () => memberResource.toWire(before));
      return memberResource.toWire(await changeLockedMember(context, tx, before, toProfile(fields)));
    }),
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
