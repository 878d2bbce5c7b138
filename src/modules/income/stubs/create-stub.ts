import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { recordAudit } from '#modules/operations/audit';
import { runLimitedGuess } from '#modules/access/accounts';
import { grantForStub, queryCategories } from '#modules/people/consent';
import { insertUnclaimedMember } from '#modules/people/members';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { generateClaimCode } from './claim-code.ts';
import { hashClaimCode } from './find-stub.ts';
import { observeStub } from './observe-stub.ts';
import { insertStub } from './store.ts';
import { newStubWire, observationsInput, toStubWire } from './wire.ts';

const defaultCategories = ['archetype', 'trait_profile'] as const;

export const createStub = operation({
  name: 'stubs.createStub',
  title: 'Prepare an identity',
  summary:
    'Creates an identity without an account from what was observed of a person who has agreed. It names no one. The reply has the code with which the person can claim it; no later reply has it unless it is asked for by the code.',
  who: 'anyone',
  input: Type.Object({
    observations: observationsInput,
    categories: Type.Optional(
      field(
        Type.Array(Type.Enum(queryCategories), { maxItems: queryCategories.length, uniqueItems: true }),
        'Which categories organisations may pay to read until the identity is claimed; archetype and trait_profile by default.',
        ['archetype', 'trait_profile'],
      ),
    ),
    subject_agreed: field(
      Type.Literal(true),
      'The person has agreed to the texts of assessment_data and identity_queries of GET /consent-texts.',
      true,
    ),
  }),
  output: { 201: newStubWire },
  location: ({ claim_code }) => `/identity/stub/${claim_code}`,
  refuses: ['too_many_requests'],
  idempotent: true,
  tools: [
    {
      name: 'create_identity_stub',
      title: 'Prepare an identity',
      kind: 'write',
      description:
        'Prepares an identity without an account from observations of a person who has agreed to it. Ask the person first; subject_agreed must be true. Returns a claim_code with which only the person can turn the identity into an account and collect what it earned: give it to them, and to nobody else.',
    },
  ],
  run: (context, { observations, categories = defaultCategories }) => {
    const { address } = context.request;
    const creation = { what: 'stub', account: address, user_id: undefined, address } as const;
    const create = () =>
      context.transaction(async (tx) => {
        const now = context.now();
        const [member_id, claim_code] = [randomUUID(), generateClaimCode()];
        await insertUnclaimedMember(tx, { id: member_id, now });
        await insertStub(tx, { member_id, code_hash: hashClaimCode(context, claim_code), created_at: now });
        await grantForStub(context, tx, member_id, categories);
        const traits = await observeStub(tx, member_id, observations, now);
        await recordAudit(tx, { now, actor: null, action: 'identity.stub_created', member_id });
        const stub = { status: 'unclaimed', created_at: now } as const;
        return { ...toStubWire(claim_code, stub, { traits, reads: 0, earned: 0n }), member_id };
      });
    // Every creation counts, so that one network cannot fill the database with people who do not exist.
    return runLimitedGuess(context, creation, create, () => false);
  },
});
