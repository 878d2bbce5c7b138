import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { endAcceptedOffer } from '../end-accepted-offer.ts';
import { endOffer } from '../open-offer.ts';
import { decideTakingBack } from '../rules.ts';
import { findOrganisationOffer, lockOffer } from '../store.ts';
import { attestationWire, offerId, reasonText, toAttestationWire } from '../wire.ts';

export const revokeAttestation = operation({
  name: 'offers.revokeAttestation',
  title: 'Take back what an organisation has attested',
  summary:
    'Withdraws an offer that the member has not answered, or revokes the credential for good if the member has accepted. The member reads the reason; verifiers do not.',
  who: ['org_admin'],
  input: Type.Object({
    offer_id: offerId,
    reason: field(reasonText, 'Why it is taken back. The member reads it.', 'It names the wrong job.'),
  }),
  output: { 200: attestationWire },
  refuses: ['credential_offer_closed', 'credential_offer_not_found'],
  run: (context, { offer_id, reason }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      const found = await findOrganisationOffer(tx, { id: offer_id, org_id });
      const offer = found && (await lockOffer(tx, found));
      if (!offer) throw new Refusal('credential_offer_not_found');
      const state = decideTakingBack(offer);
      if (state === undefined) return toAttestationWire(offer, context.now());
      const ended =
        state === 'revoked'
          ? await endAcceptedOffer(context, tx, offer, reason)
          : await endOffer(context, tx, offer, { state, reason });
      await recordCallerAudit(context, tx, {
        action: state === 'revoked' ? 'offers.revoked' : 'offers.withdrawn',
        member_id: offer.member_id,
        org_id,
        detail: {
          offer_id,
          credential_type: offer.credential_type,
          ...(offer.credential_id !== null && { credential_id: offer.credential_id }),
        },
      });
      return toAttestationWire(ended, context.now());
    }),
});
