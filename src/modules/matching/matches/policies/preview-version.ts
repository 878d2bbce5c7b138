import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { requireVersion, sumWordChanges, versionInputs } from '#modules/measurement/traits';
import { OperatorError } from '#platform/command-line.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { describeVersionChange } from './describe-version-change.ts';
import { tierMovesField } from './wire.ts';

const count = Type.Integer({ minimum: 0 });

/** A request measures no more members than these: each takes milliseconds. */
const people = '200';

export const previewVersion = operation({
  name: 'matches.previewVersion',
  title: 'Preview a version of the item parameters',
  summary:
    'Measures up to 200 members again with a version of our own bank and with the version in use, and counts how many clear words about traits and how many tiers for active jobs would change. Nothing is stored.',
  who: ['platform_admin'],
  input: closedObject(versionInputs),
  output: {
    200: closedObject({
      in_use: field(Type.String(), 'The version that is in use.', 'mvp20-2.correlated'),
      version: field(
        Type.String(),
        'The version that would be in use, with the decisions about statements.',
        'mvp20-2.d92c0f3ab1e44c07',
      ),
      members: field(count, 'The members who were measured again.', 200),
      left_out: field(count, 'Members whose answers one of the versions does not know.', 0),
      words: field(
        closedObject({
          kept: field(count, 'Clear words that stay.', 2_100),
          changed: field(count, 'Words that become another one of the same side.', 60),
          turned: field(count, 'Words that become one of the other side.', 0),
          appeared: field(count, 'Traits that get a clear word.', 40),
          disappeared: field(count, 'Traits that lose their clear word.', 35),
        }),
        'What becomes of clear words about traits.',
      ),
      tiers: tierMovesField,
    }),
  },
  refuses: ['calibration_not_found', 'version_not_usable'],
  run: async (context, { bank, version }) => {
    await requireVersion(context, { bank, version });
    try {
      const { traits, ...preview } = await describeVersionChange(
        context,
        { version, people },
        { write: () => true },
      );
      return { ...preview, words: sumWordChanges(traits) };
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      throw new Refusal('version_not_usable', { detail: error.message });
    }
  },
});
