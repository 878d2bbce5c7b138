import { Type } from 'typebox';
import { timestamp } from '#platform/schema.ts';
import { configurationIds, listConfigurations, pre_authorized_grant } from './configurations.ts';
import type { CredentialType } from '#modules/credentials';
import { tx_code_digits } from './rules.ts';

const strict = { additionalProperties: false };

/** A Credential Offer (OpenID4VCI 1.0 section 4.1.1). */
const offerWire = Type.Object(
  {
    credential_issuer: Type.String(),
    credential_configuration_ids: Type.Array(Type.Enum(configurationIds)),
    grants: Type.Object(
      {
        [pre_authorized_grant]: Type.Object(
          {
            'pre-authorized_code': Type.String(),
            tx_code: Type.Object(
              { input_mode: Type.Enum(['numeric']), length: Type.Integer(), description: Type.String() },
              strict,
            ),
          },
          strict,
        ),
      },
      strict,
    ),
  },
  { ...strict, $id: 'CredentialOffer' },
);

/** What a member gets to bring a credential into a wallet. */
export const walletOfferWire = Type.Object(
  {
    credential_offer_uri: Type.String({ description: 'Where a wallet fetches the offer.' }),
    credential_offer: offerWire,
    offer_link: Type.String({ description: 'Opens a wallet on the same device.' }),
    offer_qr_svg: Type.String({ description: 'The link as a QR code, for a wallet on another device.' }),
    tx_code: Type.String({
      description: 'Six digits that the wallet will ask for: never to be sent along with the link.',
    }),
    expires_at: timestamp,
  },
  { ...strict, $id: 'WalletOffer' },
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
          description: 'The six digits that Tessera shows beside the code you scanned.',
        },
      },
    },
  };
}
