import { Refusal } from '#lib/refusal.ts';
import { listAdministrators } from '#modules/access/accounts';
import { checkSenderName, type Organisation } from '#modules/organisations/orgs';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';

/**
 * Checks that an organisation may write to strangers: one of its administrators has proven an email address, and its name is not taken for another's.
 * Otherwise anyone could have the service send any words to anybody.
 *
 * @throws Refusal `email_not_verified`, `organisation_name_taken`.
 */
export async function checkSender(
  services: Pick<Services, 'config'>,
  db: Reader,
  organisation: Pick<Organisation, 'id' | 'name'>,
): Promise<void> {
  if ((await listAdministrators(db, organisation.id, 1)).length === 0)
    throw new Refusal('email_not_verified', {
      detail:
        'An organisation can invite people once one of its administrators has verified the email address. Follow the link that was emailed, or request a new one with POST /auth/resend-verification.',
    });
  await checkSenderName(services, db, organisation);
}
