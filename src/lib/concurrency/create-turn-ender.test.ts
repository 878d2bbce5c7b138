import { expect, test } from 'vitest';
import { createTurnEnder } from './create-turn-ender.ts';

test('long work ends its turn after ten milliseconds, and not before', async () => {
  let now = 0;
  const endLongTurn = createTurnEnder(() => now);
  const seen: string[] = [];
  setImmediate(() => seen.push('another turn'));
  for (const ms of [0, 4, 9]) {
    now = ms;
    await endLongTurn();
  }
  seen.push('after nine');
  now = 10;
  await endLongTurn();
  expect(seen).toEqual(['after nine', 'another turn']);
  // The time counts from the new turn.
  setImmediate(() => seen.push('a third turn'));
  now = 19;
  await endLongTurn();
  expect(seen).not.toContain('a third turn');
});
