import type { RequirementId } from './requirements.ts';

/** The capabilities that are not built yet. A rule is either proven, or waits for one of these. */
export type PendingFor =
  /** Accounts, MFA, sessions, organisations, consent, SSO, data rights. */
  | 'people-and-access'
  /** Assessment, traits, archetypes, culture, jobs, matches. */
  | 'measurement-and-matching'
  /** Credentials and attestation tokens. */
  | 'credentials'
  /** X402, earnings, legibility, credential queries, marketplace. */
  | 'paid-reads'
  /** MCP, OAuth, the browser connector, identity stubs and claims. */
  | 'agents'
  /** Feedback, outcomes, exports. */
  | 'feedback-and-reports'
  /** Cross-cutting rules: errors, limits, pages, versioning. */
  | 'surface';

/**
 * The rules that wait for their capability. The list only shrinks: remove the line of an id when a test cites it by `proves('…')` or a
 * decision settles it by `Settles: …`. `requirements.test.ts` fails if the line of such an id is still here.
 */
export const pending: Partial<Record<RequirementId, PendingFor>> = {
};
