import { Refusal } from '#lib/refusal.ts';
import { findJob } from '#modules/matching/jobs';
import { findShownDomain, findShownName, isSuspendedOrganisation } from '#modules/organisations/orgs';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { toReply } from '#platform/schema.ts';
import { computeStatus, type Invitation } from '../rules.ts';
import { receivedInvitationWire, type ReceivedInvitation } from '../wire.ts';

/** Reads an invitation with what its person needs to decide: who invites, by which proven domain, and to what; undefined if the job or the organisation is gone. */
export async function readInvitation(
  services: Pick<Services, 'config' | 'now'>,
  db: Reader,
  invitation: Invitation,
): Promise<ReceivedInvitation | undefined> {
  const { org_id, job_id } = invitation;
  const job = await findJob(db, job_id);
  const organisation_name = await findShownName(db, org_id);
  if (!job || organisation_name === undefined) return undefined;
  return toReply(receivedInvitationWire, {
    ...invitation,
    organisation_name,
    organisation_domain: await findShownDomain(services, db, org_id),
    job_title: job.title,
    outcome_description: job.outcome_description,
    job_is_open: job.status === 'active',
    status: computeStatus(invitation, services.now()),
  });
}

/** @throws Refusal `candidate_invitation_not_found` for an invitation that does not exist, or of a suspended organisation. */
export async function requireReceived(
  services: Pick<Services, 'config' | 'now'>,
  db: Reader,
  invitation: Invitation | undefined,
): Promise<ReceivedInvitation> {
  const isReadable = invitation && !(await isSuspendedOrganisation(db, invitation.org_id));
  const received = isReadable ? await readInvitation(services, db, invitation) : undefined;
  if (!received) throw new Refusal('candidate_invitation_not_found');
  return received;
}
