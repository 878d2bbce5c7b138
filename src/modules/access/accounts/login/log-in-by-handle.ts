import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { countLogin } from '../sessions/count-login.ts';
import { authenticateAccount, logInAccount } from './log-in.ts';
import { findAccountByHandle } from '../store-handles.ts';
import { loggedInWire, mfaRequiredWire, passwordInput } from '../wire.ts';
import { handleInput } from '../handles/wire.ts';

export const logInByHandle = operation({
  name: 'accounts.logInByHandle',
  title: 'Log in with a handle',
  summary:
    'Logs in with the handle of an account and its password. Replies like POST /auth/login, which takes the email address.',
  who: 'anyone',
  input: closedObject({ handle: handleInput, password: passwordInput }),
  output: { 200: Type.Union([loggedInWire, mfaRequiredWire]) },
  refuses: ['credentials_wrong', 'account_pending_deletion', 'account_suspended', 'overloaded'],
  cookies: { sets: ['refresh_token'] },
  run: (context, { handle, password }) =>
    countLogin(context, 'password', async () => {
      const found = await findAccountByHandle(context.database, handle);
      const account = await authenticateAccount(context, found, { name: `@${handle}`, password });
      return logInAccount(context, account, password);
    }),
});
