import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable, timestamp } from '#platform/schema.ts';
import { listVersions } from './use-parameters.ts';

const sampleVersion = '1.1.d92c0f3ab1e44c07';
const count = Type.Integer({ minimum: 0 });

export const listCalibrations = operation({
  name: 'traits.listCalibrations',
  title: 'List versions of the item parameters',
  summary:
    'Lists the versions of the parameters of the assessment’s items, the newest first, and how far scoring stored answers again has come. It shows neither parameters nor answers.',
  who: ['platform_admin'],
  output: {
    200: closedObject({
      in_use: field(Type.String(), 'The version that new assessments use.', sampleVersion),
      listed: field(Type.String(), 'The version whose results all lists use.', sampleVersion),
      rescoring: field(
        nullable(
          closedObject({
            version: field(Type.String(), 'The version with which answers are scored.', sampleVersion),
            done: field(count, 'Members who are done.', 1_200),
            total: field(count, 'All members with answers.', 5_000),
          }),
        ),
        'How far scoring stored answers again has come; null if it is not running.',
        null,
      ),
      versions: field(
        Type.Array(
          closedObject({
            bank: field(Type.String(), 'The bank of statements; ours is `tessera`.', 'tessera'),
            version: field(Type.String(), 'The name of the version.', sampleVersion),
            provisional: field(
              Type.Boolean(),
              'Whether too few answers have confirmed the parameters so far.',
              false,
            ),
            base_version: field(
              nullable(Type.String()),
              'The version that decisions about statements were applied to; null without decisions.',
              null,
            ),
            respondents: field(count, 'The members whose answers it was estimated from.', 812),
            created_at: field(
              nullable(timestamp),
              'When it was estimated; null if it is part of the program.',
              '2026-03-02T09:00:00.000Z',
            ),
          }),
        ),
        'The versions.',
      ),
    }),
  },
  run: async ({ database }) => {
    const { versions, rescoring, ...rest } = await listVersions({ database });
    return { ...rest, rescoring, versions: versions.map((each) => ({ ...each })) };
  },
});
