import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { countStub, findStubByCode } from './find-stub.ts';
import { observeStub } from './observe-stub.ts';
import { lockStub } from './store.ts';
import { claimCodeInput, observationsInput, stubWire, toStubWire } from './wire.ts';

export const addStubObservations = operation({
  name: 'stubs.addStubObservations',
  title: 'Add observations to a prepared identity',
  summary:
    'Adds what was observed of the person behind a claim code, and returns the identity with its new numbers.',
  who: 'anyone',
  input: Type.Object({ claim_code: claimCodeInput, observations: observationsInput }),
  output: { 200: stubWire },
  refuses: ['stub_not_found', 'stub_claimed', 'too_many_requests'],
  idempotent: true,
  tools: [
    {
      name: 'add_stub_observations',
      title: 'Add to a prepared identity',
      kind: 'write',
      description:
        'Adds observations to an identity that create_identity_stub prepared, by its claim code. Returns how well the person is known now.',
    },
  ],
  run: async (context, { claim_code, observations }) => {
    const { code, code_hash } = await findStubByCode(context, claim_code);
    return context.transaction(async (tx) => {
      const stub = await lockStub(tx, code_hash);
      if (stub?.status !== 'unclaimed') throw new Refusal('stub_claimed');
      await observeStub(tx, stub.member_id, observations, context.now());
      return toStubWire(code, stub, await countStub(tx, stub.member_id, context.now()));
    });
  },
});
