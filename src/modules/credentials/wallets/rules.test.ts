import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideTrade, wrong_tx_codes_max } from './rules.ts';

const now = new Date('2026-03-02T09:00:00Z');

const offers = fc.record({
  seconds_left: fc.integer({ min: -5, max: 5 }),
  wrong_tx_codes: fc.integer({ min: 0, max: wrong_tx_codes_max + 1 }),
  traded: fc.boolean(),
  txCode: fc.constantFrom('right' as const, 'wrong' as const, 'missing' as const, 'unexpected' as const),
});

test('a code is accepted only before its end, with its transaction code and for the first time', () => {
  fc.assert(
    fc.property(offers, ({ seconds_left, wrong_tx_codes, traded, txCode }) => {
      const offer = {
        expires_at: new Date(now.getTime() + seconds_left * 1000),
        wrong_tx_codes,
        token_expires_at: traded ? now : null,
      };
      const lives = seconds_left > 0 && wrong_tx_codes < wrong_tx_codes_max;
      expect(decideTrade(offer, { txCode, now }) === 'granted').toBe(lives && txCode === 'right' && !traded);
      expect(decideTrade(offer, { txCode, now }) === 'dead').toBe(!lives);
    }),
  );
});
