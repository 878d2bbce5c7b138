import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { OperatorError } from '#platform/command-line.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { useVersion } from '../calibration/use-parameters.ts';
import { requireVersion } from './require-version.ts';
import { versionInputs } from './version-inputs.ts';

export const useBankVersion = operation({
  name: 'traits.useBankVersion',
  title: 'Put a version of a bank into use',
  summary:
    'New assessments ask this bank at once, with this version of its parameters; stored answers to it are scored again. Results from other banks stay as they are. The scales of an imported bank need traits: the column `trait`, or `items use --map` once before.',
  who: ['platform_admin'],
  input: closedObject(versionInputs),
  output: {
    200: closedObject({
      in_use: field(Type.String(), 'The version that is in use now.', 'mvp20-2.d92c0f3ab1e44c07'),
      before: field(Type.String(), 'The version that was in use before.', 'mvp20-2.correlated'),
      provisional: field(Type.Boolean(), 'Whether too few answers have confirmed it so far.', false),
    }),
  },
  refuses: ['calibration_not_found', 'version_not_usable'],
  run: async (context, { bank, version }) => {
    await requireVersion(context, { bank, version });
    try {
      return await useVersion(context, { bank, version }, context.caller);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      throw new Refusal('version_not_usable', { detail: error.message });
    }
  },
});
