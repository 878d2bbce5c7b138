import { Type } from 'typebox';
import type { CredentialType } from '#modules/credentials/credentials';
import { closedObject, field, nullable, timestamp } from '#platform/schema.ts';
import { sampleTokens } from '#platform/schema-samples.ts';
import { configurationIds, listConfigurations, pre_authorized_grant } from './configurations.ts';
import { tx_code_digits } from './rules.ts';

/** A Credential Offer (OpenID4VCI 1.0 section 4.1.1). */
const offerWire = closedObject(
  {
    credential_issuer: field(Type.String(), 'The URL of this service.', 'https://tessera.example'),
    credential_configuration_ids: field(
      Type.Array(Type.Enum(configurationIds)),
      'The formats that the wallet may choose from.',
    ),
    grants: field(
      closedObject({
        [pre_authorized_grant]: field(
          closedObject({
            'pre-authorized_code': field(
              Type.String(),
              'The code that the wallet exchanges for a token.',
              sampleTokens.mail,
            ),
            tx_code: Type.Optional(
              field(
                closedObject({
                  input_mode: field(Type.Enum(['numeric']), 'The code consists of digits.'),
                  length: field(Type.Integer(), 'How many digits the code has.', tx_code_digits),
                  description: field(
                    Type.String(),
                    'What the wallet tells the user.',
                    'The six digits that Tessera shows next to the QR code that you scanned.',
                  ),
                }),
                'The code that the wallet asks the user for. Absent if the wallet is on the device that shows the offer.',
              ),
            ),
          }),
          'The grant that this service supports.',
        ),
      }),
      'How the wallet gets a token.',
    ),
  },
  { $id: 'CredentialOffer' },
);

/** The data with which a member transfers a credential to a wallet. */
export const walletOfferWire = closedObject(
  {
    credential_offer_uri: field(
      Type.String(),
      'The URL from which a wallet fetches the offer.',
      `https://tessera.example/openid4vci/offers/${sampleTokens.mail}`,
    ),
    credential_offer: offerWire,
    offer_link: field(
      Type.String(),
      'A link that opens a wallet on the same device.',
      'openid-credential-offer://?credential_offer_uri=https%3A%2F%2Ftessera.example%2Fopenid4vci%2Foffers%2FZk3Qm9s1XeYt7uRw',
    ),
    offer_qr_svg: field(
      Type.String(),
      'The link as a QR code, for a wallet on another device.',
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 53 53">…</svg>',
    ),
    tx_code: field(
      nullable(Type.String()),
      'Six digits that the wallet asks for. Do not send them together with the link. Null for a wallet on the device that shows the offer.',
      '402817',
    ),
    expires_at: timestamp,
  },
  { $id: 'WalletOffer' },
);

export function toOfferWire(
  publicUrl: string,
  type: CredentialType,
  { code, hasTxCode }: { readonly code: string; readonly hasTxCode: boolean },
) {
  return {
    credential_issuer: publicUrl,
    credential_configuration_ids: listConfigurations(type).map(({ id }) => id),
    grants: {
      [pre_authorized_grant]: {
        'pre-authorized_code': code,
        ...(hasTxCode && {
          tx_code: {
            input_mode: 'numeric' as const,
            length: tx_code_digits,
            description: 'The six digits that Tessera shows next to the QR code that you scanned.',
          },
        }),
      },
    },
  };
}
