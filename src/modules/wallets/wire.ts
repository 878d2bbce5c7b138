import { Type } from 'typebox';
import type { CredentialType } from '#modules/credentials';
import { closedObject, timestamp } from '#platform/schema.ts';
import { configurationIds, listConfigurations, pre_authorized_grant } from './configurations.ts';
import { tx_code_digits } from './rules.ts';

/** A Credential Offer (OpenID4VCI 1.0 section 4.1.1). */
const offerWire = closedObject(
  {
    credential_issuer: Type.String(),
    credential_configuration_ids: Type.Array(Type.Enum(configurationIds)),
    grants: closedObject({
      [pre_authorized_grant]: closedObject({
        'pre-authorized_code': Type.String(),
        tx_code: closedObject({
          input_mode: Type.Enum(['numeric']),
          length: Type.Integer(),
          description: Type.String(),
        }),
      }),
    }),
  },
  { $id: 'CredentialOffer' },
);

/** The data with which a member transfers a credential to a wallet. */
export const walletOfferWire = closedObject(
  {
    credential_offer_uri: Type.String({ description: 'The URL from which a wallet fetches the offer.' }),
    credential_offer: offerWire,
    offer_link: Type.String({ description: 'A link that opens a wallet on the same device.' }),
    offer_qr_svg: Type.String({ description: 'The link as a QR code, for a wallet on another device.' }),
    tx_code: Type.String({
      description: 'Six digits that the wallet asks for. Do not send them together with the link.',
    }),
    expires_at: timestamp,
  },
  { $id: 'WalletOffer' },
);

/** The offer of a credential, with its code. */
export function toOfferWire(publicUrl: string, type: CredentialType, code: string) {
  return {
    credential_issuer: publicUrl,
    credential_configuration_ids: listConfigurations(type).map(({ id }) => id),
    grants: {
      [pre_authorized_grant]: {
        'pre-authorized_code': code,
        tx_code: {
          input_mode: 'numeric' as const,
          length: tx_code_digits,
          description: 'The six digits that Tessera shows next to the QR code that you scanned.',
        },
      },
    },
  };
}
