import type { Config } from '#platform/config.ts';

/** How many sessions a user can have. A login beyond that ends the session that was not used for longest. */
export const sessions_max = 100;

/** Computes when a session ends, however often it is used: then its user logs in again. */
export function computeSessionEnd({ token }: Pick<Config, 'token'>, created_at: Date): Date {
  return new Date(created_at.getTime() + token.session_days * 86_400_000);
}
