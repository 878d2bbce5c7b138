import { Type } from 'typebox';
import { microsToNumber, splitByBasisPoints, whole_bps } from '#lib/money.ts';
import { nil_uuid } from '#lib/nil-uuid.ts';
import { queryCategories, type QueryCategory } from '#modules/people/consent';
import { measureExample } from '#modules/measurement/traits';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { computeLegibilityFromFacts } from './legibility/rules.ts';
import { buildReading } from './making/build-reading.ts';
import { computePrice, dataTypes, share_bps } from './rules.ts';
import { readResultWire } from './wire.ts';

const data_type = 'trait_profile';

export const readExampleRead = operation({
  name: 'reads.readExampleRead',
  title: 'Read a paid read of a fictional person',
  summary:
    'Returns what an organisation would read of a person who does not exist, what it would pay, and what of it the person would earn: measured, priced and shared as for members. The person has a complete profile and has approved all categories.',
  who: 'anyone',
  input: Type.Object({}),
  output: {
    200: closedObject({
      data_type: field(Type.Enum(dataTypes), 'What is read.', data_type),
      data: readResultWire.properties.data,
      price: field(Type.Number({ minimum: 0 }), 'What the organisation would pay, in US dollars.', 0.4375),
      member_share: field(Type.Number({ minimum: 0 }), 'What of it the person would earn.', 0.328125),
      service_share: field(Type.Number({ minimum: 0 }), 'What of it the service would keep.', 0.109375),
      share_percent: field(Type.Number({ minimum: 0 }), 'The person’s share of the price in percent.', 75),
    }),
  },
  run: async (context) => {
    const { latent, provisional, parameter_version } = await measureExample(context, context.database);
    // The archetype is cached by this id, and other parameters may lead to another one.
    const member_id = `${nil_uuid} ${parameter_version}`;
    const wanted = { org_id: nil_uuid, user_id: nil_uuid, member_id, known_as: nil_uuid, data_type } as const;
    const vector = { ...latent, version: 1, preliminary: false, provisional, created_at: new Date(0) };
    const approved: ReadonlySet<QueryCategory> = new Set(queryCategories);
    const { multiplier_bps } = computeLegibilityFromFacts({
      confidences: latent.variance.map((variance) => Math.min(1, Math.max(0, 1 - variance))),
      assessment_complete: true,
      filled_share: 1,
      consented: true,
      approved,
    });
    const price = computePrice(data_type, multiplier_bps);
    const { part, rest } = splitByBasisPoints(price, share_bps);
    return {
      data_type,
      data: buildReading(context, wanted, vector, { consent_level: 'full', approved }),
      price: microsToNumber(price),
      member_share: microsToNumber(part),
      service_share: microsToNumber(rest),
      share_percent: (100 * share_bps) / whole_bps,
    };
  },
});
