import { issueSession, toConsoleCookie, toUserWire, type User } from '#modules/access/accounts';
import type { Transaction } from '#platform/database/database.ts';
import { reply, type Context } from '#platform/operation.ts';
import { isConsolePath, selectDestination } from '../rules.ts';

/** Starts the session of a user whom the identity provider has logged in: a browser goes on with its cookie, a program gets the tokens. */
export async function replyWithSession(
  context: Context<never>,
  tx: Transaction,
  user: User,
  relay_state: string,
) {
  const { tokens, cookie } = await issueSession(context, tx, user, 'sso');
  const destination = selectDestination(relay_state, context.request.accept);
  if (destination !== undefined) {
    const own = isConsolePath(destination) ? toConsoleCookie(context.config, cookie) : cookie;
    return reply(303, { location: destination }, [own]);
  }
  const { created_at: _created, ...wire } = toUserWire(user);
  return reply(200, { ...tokens, user: wire }, [cookie]);
}
