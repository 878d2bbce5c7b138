import { Type, type Static } from 'typebox';
import { closedObject, field, patternText, timestamp, uuid } from '#platform/schema.ts';
import type { Wallet } from './rules.ts';

const sampleAddress = '0x5b38da6a701c568545dcfcb03fcb875f56beddc4';
const sampleWallet = '5e6f7081-92a3-4b4c-9d5e-6f708192a3b4';

export const addressInput = patternText('^0x[0-9a-fA-F]{40}$', 'must be 0x and 40 hexadecimal digits', {
  maxLength: 42,
  description: 'The address of the wallet.',
  examples: [sampleAddress],
});

export const signatureInput = patternText(
  '^0x(?:[0-9a-fA-F]{2}){1,2048}$',
  'must be at most 2048 bytes in hexadecimal with 0x',
  {
    maxLength: 4_098,
    description: 'The wallet’s signature of the message (EIP-191, or EIP-1271 of a contract).',
    examples: [`0x${'5c'.repeat(65)}`],
  },
);

export const walletId = field(uuid, 'The id of the wallet’s entry.', sampleWallet);

export const challengeWire = closedObject(
  {
    message: field(
      Type.String(),
      'The text for the wallet to sign, as EIP-4361 writes it.',
      'tessera.example wants …\n0x5B38Da6a701c568545dCfcB03FcB875f56beddC4\n…',
    ),
    expires_at: field(timestamp, 'Until when the signature is accepted.', '2026-07-31T09:10:00.000Z'),
  },
  { $id: 'WalletChallenge' },
);

export const walletWire = closedObject(
  {
    id: walletId,
    address: field(Type.String(), 'The address, in lower case.', sampleAddress),
    created_at: field(timestamp, 'When the wallet was added.', '2026-07-31T09:00:00.000Z'),
  },
  { $id: 'Wallet' },
);

export const walletListWire = closedObject(
  { data: field(Type.Array(walletWire), 'All wallets of the organisation, at most 20, oldest first.') },
  { $id: 'WalletList' },
);

export function toWalletWire({ id, address, created_at }: Wallet): Static<typeof walletWire> {
  return { id, address, created_at: created_at.toISOString() };
}
