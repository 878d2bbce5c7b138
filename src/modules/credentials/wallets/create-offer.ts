import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { buildQrCode, formatQrSvg } from '@tessera/pdf/qr-code';
import { hashToken } from '#platform/security/hash-token.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { computeCredentialStatus, lockCallerCredential } from '#modules/credentials/credentials';
import { operation, type Context } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { paths } from './configurations.ts';
import { addMinutes, offer_minutes, walletDevices, type WalletDevice } from './rules.ts';
import { createSecret, createTxCode, deriveCode, hashTxCode } from './secrets.ts';
import { replaceOffer } from './store.ts';
import { toOfferWire, walletOfferWire } from './wire.ts';

export const createOffer = operation({
  name: 'wallets.createOffer',
  title: 'Offer a credential to a wallet',
  summary:
    'Offers an active credential to its member’s wallet (OpenID4VCI 1.0, pre-authorized code). A wallet on another device asks for a transaction code. Replaces an earlier offer of the same credential.',
  who: ['member'],
  input: Type.Object({
    credential_id: uuid,
    device: Type.Optional(
      field(
        Type.Enum(walletDevices, { default: 'another' }),
        'Where the wallet is. An offer for a wallet on the device that shows it has no transaction code and lasts two minutes.',
        'another',
      ),
    ),
  }),
  output: { 201: walletOfferWire },
  refuses: ['credential_not_found', 'credential_not_active'],
  idempotent: true,
  run: (context, { credential_id, device = 'another' }) =>
    context.transaction(async (tx) => {
      const credential = await lockCallerCredential(context.caller, tx, credential_id);
      if (computeCredentialStatus(credential, context.now()) !== 'active')
        throw new Refusal('credential_not_active');
      const { member_id } = credential;
      const { offer, handle, code, tx_code } = buildOffer(context, { member_id, credential_id }, device);
      await replaceOffer(tx, offer);
      await recordCallerAudit(context, tx, {
        action: 'wallets.offered',
        member_id,
        detail: { credential_id },
      });
      return {
        ...buildAddresses(context.config.publicUrl, handle),
        credential_offer: toOfferWire(context.config.publicUrl, credential.credential_type, {
          code,
          hasTxCode: tx_code !== null,
        }),
        tx_code,
        expires_at: offer.expires_at.toISOString(),
      };
    }),
});

function buildOffer(
  context: Context<'member'>,
  subject: { readonly member_id: string; readonly credential_id: string },
  device: WalletDevice,
) {
  const created_at = context.now();
  const id = randomUUID();
  const handle = createSecret();
  const code = deriveCode(context, handle);
  const tx_code = device === 'this' ? null : createTxCode();
  const offer = {
    id,
    ...subject,
    handle_hash: hashToken(handle),
    code_hash: hashToken(code),
    tx_code_hash: tx_code === null ? null : hashTxCode(context, id, tx_code),
    expires_at: addMinutes(created_at, offer_minutes[device]),
    created_at,
  };
  return { offer, handle, code, tx_code };
}

function buildAddresses(publicUrl: string, handle: string) {
  const credential_offer_uri = `${publicUrl}${paths.offers}/${handle}`;
  const offer_link = `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(credential_offer_uri)}`;
  const offer_qr_svg = formatQrSvg(buildQrCode(offer_link), 'QR code that opens the offer in a wallet');
  return { credential_offer_uri, offer_link, offer_qr_svg };
}
