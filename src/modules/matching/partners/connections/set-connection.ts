import { Type } from 'typebox';
import { createFieldRefusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockOwnOrganisation } from '#modules/organisations/org-users';
import type { Config } from '#platform/config.ts';
import { operation } from '#platform/operation.ts';
import { checkOutboundUrl, describeOutboundError, OutboundError } from '#platform/outbound/outbound.ts';
import { field, patternText, toReply } from '#platform/schema.ts';
import { defaultOrigins } from '../rules.ts';
import { sealKey } from '../sealed-keys.ts';
import { upsertConnection } from '../store.ts';
import { connectionWire, originField, partnerName } from '../wire.ts';

export const setConnection = operation({
  name: 'partners.setConnection',
  title: 'Connect an applicant tracking system',
  summary:
    'Stores the key by which an applicant tracking system knows the organisation, encrypted, and the origin to which results go. It replaces an earlier one.',
  who: ['org_admin'],
  input: Type.Object({
    partner: partnerName,
    key: field(
      patternText('^[!-9;-~]{1,300}$', 'must have 1 to 300 visible ASCII characters without a colon'),
      'The key that the system accepts as the user name of HTTP Basic.',
      'ats-key-of-the-organisation',
    ),
    origin: Type.Optional({
      ...originField,
      description:
        'Where the system takes results, if it is another origin than the usual one of the system.',
    }),
  }),
  output: { 200: connectionWire },
  refuses: ['organisation_not_found'],
  checks: [({ origin }, { config }) => checkOrigin(config, origin)],
  run: (context, { partner, key, origin = defaultOrigins[partner] }) =>
    context.transaction(async (tx) => {
      const { caller, secrets, now } = context;
      const { org_id } = caller;
      await lockOwnOrganisation(tx, caller);
      const key_sealed = sealKey(secrets, key);
      const stored = await upsertConnection(tx, { org_id, partner, origin, key_sealed, updated_at: now() });
      const detail = { partner };
      await recordCallerAudit(context, tx, { action: 'partners.connected', org_id, detail });
      return toReply(connectionWire, stored);
    }),
});

/** @throws Refusal `field_invalid` for what is no origin, and for one to which the service would never send a request. */
function checkOrigin(
  config: Pick<Config, 'production' | 'outboundPrivate'>,
  origin: string | undefined,
): void {
  if (origin === undefined) return;
  try {
    checkOutboundUrl(origin, { allowPrivate: config.outboundPrivate });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw createFieldRefusal('field_invalid', '/origin', describeOutboundError(error, config));
  }
  if (new URL(origin).origin !== origin)
    throw createFieldRefusal(
      'field_invalid',
      '/origin',
      'must be an origin without a path, such as https://api.ashbyhq.com',
    );
}
