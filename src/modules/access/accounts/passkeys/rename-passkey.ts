import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { passkeyResource } from './resource.ts';
import { lockPasskey, updatePasskeyName } from './store.ts';

export const renamePasskey = operation({
  name: 'accounts.renamePasskey',
  summary: 'Gives a passkey of the user another name.',
  who: roles,
  input: Type.Object({ passkey_id: uuid, name: passkeyResource.fields.name.schema }),
  output: { 200: passkeyResource.wire },
  refuses: ['passkey_not_found'],
  run: (context, { passkey_id, name }) =>
    context.transaction(async (tx) => {
      const { user_id } = context.caller;
      const passkey = await lockPasskey(tx, { id: passkey_id, user_id });
      if (!passkey) throw new Refusal('passkey_not_found');
      return passkeyResource.toWire(await updatePasskeyName(tx, passkey.id, name.trim()));
    }),
});
