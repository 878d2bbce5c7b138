import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field, patternText } from '#platform/schema.ts';
import { putIntoUse } from './use-parameters.ts';

const versionInput = patternText('^[A-Za-z0-9._-]+$', 'must be the name of a version', {
  minLength: 1,
  maxLength: 100,
});

export const activateCalibration = operation({
  name: 'traits.activateCalibration',
  title: 'Put a version of the item parameters into use',
  summary:
    'New assessments use the version at once. A task scores all stored answers with it, and then switches all lists to the new results. To go back, put the earlier version into use.',
  who: ['platform_admin'],
  input: closedObject({ version: field(versionInput, 'The version to use.', '1.1.d92c0f3ab1e44c07') }),
  output: {
    200: closedObject({
      in_use: field(Type.String(), 'The version that is in use now.', '1.1.d92c0f3ab1e44c07'),
      before: field(Type.String(), 'The version that was in use before.', '1.0'),
      provisional: field(Type.Boolean(), 'Whether too few answers have confirmed it so far.', false),
    }),
  },
  refuses: ['calibration_not_found'],
  run: (context, { version }) =>
    context.transaction(async (tx) => {
      const change = await putIntoUse(context, tx, { version, actor: context.caller });
      if (!change) throw new Refusal('calibration_not_found');
      return change;
    }),
});
