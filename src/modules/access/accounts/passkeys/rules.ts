/** How many passkeys an account can have. */
export const passkeys_max = 20;

/**
 * How long a challenge can be answered, and how long a browser asks its user: the longest time that WebAuthn Level 3 recommends where the user
 * is verified. A page for logging in may be open for a while before its visitor answers.
 */
export const challenge_seconds = 600;

/**
 * Whether the authenticator's count of signatures is consistent with the count of its last use (WebAuthn Level 3, section 6.1.1). An
 * authenticator that does not count always says 0. A count that stays or goes back means that two devices have the same private key.
 */
export function isCountPlausible(stored: number, presented: number): boolean {
  return presented > stored || (stored === 0 && presented === 0);
}
