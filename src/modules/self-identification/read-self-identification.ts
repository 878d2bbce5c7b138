import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { nothingStated } from './rules.ts';
import { findAnswers } from './store.ts';
import { selfIdentificationWire } from './wire.ts';

export const readSelfIdentification = operation({
  name: 'selfIdentification.readSelfIdentification',
  title: 'Read your self-identification',
  summary:
    'Reads what the caller has said about themselves for statistics about fairness. No one else can read it.',
  who: ['member'],
  input: Type.Object({}),
  output: { 200: selfIdentificationWire },
  etag: true,
  refuses: [],
  run: async ({ database, caller }) => (await findAnswers(database, caller.member_id)) ?? nothingStated,
});
