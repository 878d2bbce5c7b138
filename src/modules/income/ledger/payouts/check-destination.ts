import { createFieldRefusal } from '#lib/refusal.ts';
import type { Config } from '#platform/config.ts';

const zero_address = `0x${'0'.repeat(40)}`;

/**
 * Checks the address of a payout: its checksum (EIP-55), if it has capital letters, and that the money does not stay with the service or get lost.
 *
 * @throws Refusal `field_invalid`.
 */
export async function checkDestination({ payments }: Config, destination: string): Promise<void> {
  const digits = destination.slice(2);
  // The library of the chain takes long to load, and an address in one case has no checksum.
  if (digits !== digits.toLowerCase()) {
    const { isAddress } = await import('viem');
    if (!isAddress(destination, { strict: true }))
      throw createFieldRefusal(
        'field_invalid',
        '/destination',
        'must have the capital letters of its checksum, or none',
      );
  }
  const own = [zero_address, payments.chain?.payTo, payments.chain?.asset];
  if (own.includes(destination.toLowerCase()))
    throw createFieldRefusal('field_invalid', '/destination', 'must be an address of your own');
}
