import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { readAttributes } from '../patch.ts';
import { attributesInput, scimUserId, scimUserWire, userNameInput } from '../wire.ts';
import { changeRefusals } from './change-user.ts';
import { changeFoundUser } from './change-found-user.ts';

export const replaceUser = operation({
  name: 'directories.replaceUser',
  title: 'Replace a user by a directory',
  summary:
    'Replaces what the directory says about a user. What is left out stays as it is. active: false ends the user’s sessions, service keys and agents.',
  who: ['org_admin'],
  input: Type.Object({ id: scimUserId, userName: userNameInput, ...attributesInput }),
  output: { 200: scimUserWire },
  refuses: changeRefusals,
  run: (context, { id, ...attributes }) => changeFoundUser(context, id, readAttributes(attributes)),
});
