import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { countStub, findStubByCode } from './find-stub.ts';
import { claimCodeInput, stubWire, toStubWire } from './wire.ts';

export const readStub = operation({
  name: 'stubs.readStub',
  title: 'Read a prepared identity',
  summary:
    'Returns how well the person behind a claim code is known and what was earned so far, and nothing about who it is. Wrong codes are limited by network.',
  who: 'anyone',
  input: Type.Object({ claim_code: claimCodeInput }),
  output: { 200: stubWire },
  refuses: ['stub_not_found', 'stub_claimed', 'too_many_requests'],
  tools: [
    {
      name: 'read_identity_stub',
      title: 'Read a prepared identity',
      kind: 'read',
      description:
        'Returns how well the person behind a claim code is known, how often organisations read the identity and what it has earned. It never says who the person is.',
    },
  ],
  run: async (context, { claim_code }) => {
    const { code, stub } = await findStubByCode(context, claim_code);
    return toStubWire(code, stub, await countStub(context.database, stub.member_id, context.now()));
  },
});
