import { Type, type Static } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { findMemberAccounts } from '#modules/access/accounts';
import { lockMemberShared, type Member } from '#modules/people/members';
import { findShownName } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { isParty } from '../parties.ts';
import { findMatch, type Match } from '../store.ts';
import { isContactShared } from './rules.ts';
import { findContactPerson, findMatchContact } from './store.ts';
import { contactWire } from './wire.ts';

export const readContact = operation({
  name: 'matches.readContact',
  title: 'Read how to reach each other',
  summary:
    'Reads how the two sides of a match reach each other, from the member’s acceptance until the match ends or the member withdraws. Each read is audited.',
  who: ['member', 'org_admin', 'org_viewer'],
  input: Type.Object({ match_id: uuid }),
  output: { 200: contactWire },
  refuses: ['match_not_found', 'contact_not_shared', 'email_not_verified'],
  writes_on_read: 'The audit log says who has read the contact.',
  run: async (context, { match_id }) => {
    await checkVerifiedAdmin(context);
    return context.transaction(async (tx) => {
      const { match, member } = await lockSharedMatch(context.caller, tx, match_id);
      const contact = await buildContact(tx, match, member);
      await recordCallerAudit(context, tx, {
        action: 'matching.contact_read',
        member_id: match.member_id,
        org_id: match.org_id,
        detail: { match_id: match.id },
      });
      return contact;
    });
  },
});

/** Finds a match whose contact is shared, and locks its member: a withdrawal that has committed is seen, a later one waits for the reply. */
async function lockSharedMatch(caller: Parameters<typeof isParty>[0], tx: Transaction, match_id: string) {
  const found = await findMatch(tx, match_id);
  if (!found || !isParty(caller, found)) throw new Refusal('match_not_found');
  const member = await lockMemberShared(tx, found.member_id);
  const match = await findMatch(tx, match_id);
  if (!member || !match) throw new Refusal('match_not_found');
  if (!isContactShared(match.match_status, member)) throw new Refusal('contact_not_shared');
  return { match, member };
}

async function buildContact(
  tx: Transaction,
  match: Match,
  { id, display_name }: Member,
): Promise<Static<typeof contactWire>> {
  const notes = await findMatchContact(tx, match);
  const { emails } = await findMemberAccounts(tx, id);
  const organisation = await findShownName(tx, match.org_id);
  const person = await findContactPerson(tx, match.org_id, notes?.contact_user_id ?? null);
  const [email] = emails;
  if (email === undefined || email === null || organisation === undefined)
    throw new Refusal('contact_not_shared');
  return {
    member: { display_name, email, note: notes?.member_note ?? null },
    organisation: {
      name: organisation,
      contact_name: person?.contact_name ?? null,
      contact_email: person?.contact_email ?? null,
      note: notes?.organisation_note ?? null,
    },
  };
}
