import { attestationIssued, attestationRevoked } from '#modules/credentials/credentials';
import { invitationUpdated } from '#modules/matching/candidates';
import { jobClosed } from '#modules/matching/jobs';
import {
  interestWithdrawn,
  matchAccepted,
  matchDeclined,
  matchExpired,
  matchProposed,
  matchReopened,
  matchWithdrawn,
  placementCreated,
  placementUpdated,
} from '#modules/matching/matches';

/** The events that webhooks send: those of the specification in its order, then ours. Each is declared by the module that emits it. */
export const sentEvents = [
  attestationIssued,
  attestationRevoked,
  matchProposed,
  matchAccepted,
  matchDeclined,
  placementCreated,
  placementUpdated,
  interestWithdrawn,
  matchWithdrawn,
  matchExpired,
  jobClosed,
  matchReopened,
  invitationUpdated,
] as const;

export type WebhookEvent = (typeof sentEvents)[number]['name'];

/** The names of these events. */
export const webhookEvents: readonly WebhookEvent[] = sentEvents.map(({ name }) => name);
