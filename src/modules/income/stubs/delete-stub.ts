import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { endStub } from './end-stub.ts';
import { findStubByCode } from './find-stub.ts';
import { lockStub } from './store.ts';
import { claimCodeInput } from './wire.ts';

export const deleteStub = operation({
  name: 'stubs.deleteStub',
  title: 'Delete a prepared identity',
  summary:
    'Deletes an identity that nobody has claimed, with everything that was observed. Nothing is sold from then on, and nobody can claim what it has earned: claim it first to keep that.',
  who: 'anyone',
  input: Type.Object({ claim_code: claimCodeInput }),
  output: { 204: null },
  refuses: ['stub_not_found', 'stub_claimed', 'too_many_requests'],
  run: async (context, { claim_code }) => {
    const { code_hash } = await findStubByCode(context, claim_code);
    return context.transaction(async (tx) => {
      const stub = await lockStub(tx, code_hash);
      // Another request may have deleted or claimed it since the code was looked up.
      if (!stub) throw new Refusal('stub_not_found');
      if (stub.status === 'claimed') throw new Refusal('stub_claimed');
      await endStub(context, tx, stub.member_id);
      return null;
    });
  },
});
