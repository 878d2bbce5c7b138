import { expect, test } from 'vitest';
import { indexBank, type ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import { measureAnswers } from './measure-answers.ts';
import { prepareCurves } from './prepare-curves.ts';

const answers = itemBank.graded.map(({ id }, index) => ({ item_id: id, option: index % 5 }));

test('a prepared bank measures without computing curves, and no turn of the preparation computes a tenth of them', async () => {
  const first = await countLogarithms(() => void measureAnswers(answers, copyBank()));
  for (const bank of [copyBank(), copyBank({ discrimination: 0.1, thresholds: [0.1, 0.1, 0.1, 0.1] })]) {
    const turns: number[] = [];
    let before = 0;
    const all = await countLogarithms((readCount) =>
      prepareCurves(bank, () => {
        turns.push(readCount() - before);
        before = readCount();
        return Promise.resolve();
      }),
    );
    expect(turns).toHaveLength(bank.graded.length + bank.retired!.length);
    expect(Math.max(...turns)).toBeLessThan(all / 10);
    const measured = await countLogarithms(() => void measureAnswers(answers, bank));
    expect(measured).toBeLessThan(first / 20);
  }
});

/** Returns a bank that has no curves yet, whose statements may be calibrated. */
function copyBank(standard_errors?: (typeof itemBank.graded)[number]['standard_errors']): ItemBank {
  const copy = (item: (typeof itemBank.graded)[number]) => ({
    ...item,
    ...(standard_errors && { standard_errors }),
  });
  return indexBank({
    ...itemBank,
    graded: itemBank.graded.map(copy),
    retired: itemBank.retired!.map(copy),
  });
}

/** Counts the logarithms that a task computes: each point of a curve needs one, and a measurement hardly any. */
async function countLogarithms(task: (readCount: () => number) => void | Promise<void>): Promise<number> {
  const { log } = Math;
  let count = 0;
  // A spy of vitest would record two million calls.
  Math.log = (value) => {
    count++;
    return log(value);
  };
  try {
    await task(() => count);
    return count;
  } finally {
    Math.log = log;
  }
}
