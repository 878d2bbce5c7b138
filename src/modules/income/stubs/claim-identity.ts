import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { microsToNumber } from '#lib/money.ts';
import { recordAudit } from '#modules/operations/audit';
import {
  accessTokenFields,
  emailInput,
  hashPassword,
  insertMemberAccount,
  issueSession,
  passwordInput,
  queueVerification,
  runLimitedMail,
  newPasswordChecks,
} from '#modules/access/accounts';
import { withdrawEverything } from '#modules/people/consent';
import { countReads } from '#modules/income/books';
import { readBalances } from '#modules/income/books';
import { claimMember } from '#modules/people/members';
import type { Reader, Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { closedObject, field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { findStubByCode } from './find-stub.ts';
import { claimStub, lockStub } from './store.ts';
import { claimCodeInput } from './wire.ts';

export const claimIdentity = operation({
  name: 'stubs.claimIdentity',
  title: 'Claim a prepared identity',
  summary:
    'Creates the account of the person behind a claim code and logs in. Traits and earnings stay with the identity. What the creator has allowed ends: nothing is sold until the new member consents.',
  who: 'anyone',
  input: Type.Object({
    claim_code: claimCodeInput,
    email: emailInput,
    password: passwordInput,
    tos_accepted: field(Type.Literal(true), 'You accept the terms of service.', true),
  }),
  output: {
    201: closedObject({
      ...accessTokenFields,
      user: closedObject({
        id: field(uuid, 'The id of the user.', sampleIds.user),
        email: Type.String(),
        role: Type.Enum(['member']),
      }),
      member_id: field(uuid, 'The id of the member.', sampleIds.member),
      earnings_summary: field(
        closedObject({
          total_earned: field(Type.Number(), 'What was earned before the claim, in USD.', 0.5625),
          pending_amount: field(Type.Number(), 'What of it is still within the payout hold.', 0.1875),
          transaction_count: field(Type.Integer({ minimum: 0 }), 'The number of paid reads.', 3),
        }),
        'What the identity has earned before the claim.',
      ),
    }),
  },
  location: () => '/auth/me',
  refuses: [
    'stub_not_found',
    'stub_claimed',
    'email_taken',
    'password_too_weak',
    'password_too_common',
    'too_many_requests',
    'overloaded',
  ],
  idempotent: true,
  cookies: { sets: ['refresh_token'] },
  checks: newPasswordChecks,
  run: async (context, { claim_code, email, password }) => {
    const { code_hash } = await findStubByCode(context, claim_code);
    const password_hash = await hashPassword(password);
    return runLimitedMail(context, email, 'holder', () =>
      context.transaction((tx) => createClaimedAccount(context, tx, { code_hash, email, password_hash })),
    );
  },
});

type Claim = { readonly code_hash: Buffer; readonly email: string; readonly password_hash: string };

async function createClaimedAccount(
  context: Context<never>,
  tx: Transaction,
  { code_hash, email, password_hash }: Claim,
) {
  const now = context.now();
  const stub = await lockStub(tx, code_hash);
  // Another claim may have been first since the code was looked up.
  if (stub?.status !== 'unclaimed') throw new Refusal('stub_claimed');
  const { member_id } = stub;
  const user = await insertMemberAccount(tx, { member_id, email, password_hash, now });
  await claimStub(tx, member_id, now);
  await claimMember(tx, member_id);
  await withdrawEverything(context, tx, member_id);
  const actor = { user_id: user.id, role: 'member' } as const;
  await recordAudit(tx, { now, actor, action: 'identity.claimed', member_id });
  const { tokens, cookie } = await issueSession(context, tx, user);
  await queueVerification(context, tx, user.id);
  const { id, email: address } = user;
  const earnings_summary = await summariseEarnings(tx, member_id, now);
  const body = {
    ...tokens,
    user: { id, email: address, role: 'member' as const },
    member_id,
    earnings_summary,
  };
  return reply(201, body, [cookie]);
}

async function summariseEarnings(db: Reader, member_id: string, now: Date) {
  const [{ total, pending }, { transaction_count }] = await Promise.all([
    readBalances(db, member_id, now),
    countReads(db, member_id),
  ]);
  return {
    total_earned: microsToNumber(total),
    pending_amount: microsToNumber(pending),
    transaction_count,
  };
}
