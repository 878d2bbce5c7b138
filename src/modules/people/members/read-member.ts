import { requireFound } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { memberResource } from './resource.ts';
import { findMember } from './store.ts';

export const readMember = operation({
  name: 'members.readMember',
  title: 'Read your member record',
  summary: 'Returns the caller as a member, with their profile and engagement level.',
  who: ['member'],
  output: { 200: memberResource.wire },
  etag: true,
  refuses: ['member_not_found'],
  tools: [
    {
      name: 'read_profile',
      title: 'Read profile',
      kind: 'read',
      roles: ['member'],
      consent: 'Read your profile',
      description:
        'Returns the person’s member record: profile, assessment phase, account status and engagement level (1 Explorer to 4 Deployed). Call it first to see what is missing.',
    },
  ],
  run: async ({ database, caller }) => {
    const member = requireFound(await findMember(database, caller.member_id), 'member_not_found');
    return memberResource.toWire(member);
  },
});
