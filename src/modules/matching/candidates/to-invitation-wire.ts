import type { Static } from 'typebox';
import type { Services } from '#platform/platform.ts';
import { toReply } from '#platform/schema.ts';
import { openAddress } from './addresses.ts';
import { computeStatus, type Invitation } from './rules.ts';
import { invitationWire } from './wire.ts';

/** The address is read only while the invitation can be answered, or was accepted. */
export function toInvitationWire(
  services: Pick<Services, 'secrets' | 'now'>,
  invitation: Invitation,
): Static<typeof invitationWire> {
  const status = computeStatus(invitation, services.now());
  const isShown = status === 'sent' || status === 'accepted';
  const email = isShown ? openAddress(services, invitation.email_sealed) : null;
  return toReply(invitationWire, { ...invitation, status, email });
}
