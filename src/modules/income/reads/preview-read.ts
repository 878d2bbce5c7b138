import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { nil_uuid } from '#lib/nil-uuid.ts';
import { findReadConsent, type QueryCategory } from '#modules/people/consent';
import { findLatestVector } from '#modules/measurement/traits';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { buildReading, findReadArchetype } from './making/build-reading.ts';
import { listContents } from './making/list-contents.ts';
import { readResultWire } from './wire.ts';

/** What can be shown without an organisation: an alignment needs its culture. */
const previewable = ['trait_profile', 'archetype', 'values_profile'] as const;

export const previewRead = operation({
  name: 'reads.previewRead',
  title: 'Preview a paid read of yourself',
  summary:
    'Returns what an organisation would read of the member, if the member had approved it and the archetype. Nothing is recorded, and no organisation learns of it. The pseudonym is an example: each organisation gets another one.',
  who: ['member'],
  input: Type.Object({
    data_type: Type.Optional(
      field(Type.Enum(previewable, { default: 'trait_profile' }), 'The kind of data.', 'trait_profile'),
    ),
  }),
  output: { 200: readResultWire.properties.data },
  refuses: ['trait_vector_not_found', 'nothing_to_read'],
  run: async (context, { data_type = 'trait_profile' }) => {
    const { member_id, user_id } = context.caller;
    const [vector, consent] = await Promise.all([
      findLatestVector(context.database, member_id),
      findReadConsent(context.database, member_id),
    ]);
    if (!vector) throw new Refusal('trait_vector_not_found');
    const archetype_determined = findReadArchetype(context, member_id, vector) !== 'undetermined';
    const { parts } = listContents({ data_type, vector, archetype_approved: true, archetype_determined });
    if (parts.length === 0) throw new Refusal('nothing_to_read');
    const wanted = { org_id: nil_uuid, user_id, member_id, known_as: member_id, data_type };
    const approved: ReadonlySet<QueryCategory> = new Set(previewable);
    return buildReading(context, wanted, vector, { ...consent, approved });
  },
});
