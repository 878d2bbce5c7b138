import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { closedObject, field } from '#platform/schema.ts';
import { operation } from '#platform/operation.ts';
import { lockUser } from '../store.ts';
import { sealSecret } from './mfa-code.ts';
import { toLoginName } from '../rules.ts';
import { findAuthenticator, insertAuthenticator } from './store.ts';
import { createProvisioning } from './totp.ts';

export const setUpMfa = operation({
  name: 'accounts.setUpMfa',
  summary:
    'Creates a secret for an authenticator app, as text and as a URI for a QR code. To enable MFA, send a code to POST /auth/mfa/verify.',
  who: roles,
  output: {
    200: closedObject({
      secret: field(Type.String(), 'In base32, to type into the app.', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'),
      provisioning_uri: field(
        Type.String(),
        'otpauth://totp/…, to show as a QR code.',
        'otpauth://totp/Tessera:ada.lind%40example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Tessera',
      ),
    }),
  },
  refuses: ['mfa_already_enabled'],
  run: (context) =>
    context.transaction(async (tx) => {
      const { user_id } = context.caller;
      const user = await lockUser(tx, user_id);
      if (!user)
        throw new Refusal('token_invalid', { detail: 'The account of this token no longer exists.' });
      const authenticator = await findAuthenticator(tx, user_id);
      if (authenticator && authenticator.enabled_at !== null) throw new Refusal('mfa_already_enabled');
      const provisioning = createProvisioning(toLoginName(user));
      const secret_sealed = sealSecret(context, user_id, provisioning.secret);
      await insertAuthenticator(tx, { user_id, secret_sealed, now: context.now() });
      return provisioning;
    }),
});
