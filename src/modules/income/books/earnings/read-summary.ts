import { Type } from 'typebox';
import { readBalances } from '../journals/store.ts';
import { operation } from '#platform/operation.ts';
import { listIncomeByCategory, listMonthlyIncome } from './store.ts';
import { summaryWire, toSummaryWire } from './wire.ts';

const months_max = 24;

export const readSummary = operation({
  name: 'books.readSummary',
  title: 'Read the summary of Identity Income',
  summary: 'Returns the caller’s Identity Income by month, and the categories that earn the most.',
  who: ['member'],
  input: Type.Object({}),
  output: { 200: summaryWire },
  refuses: [],
  run: async ({ database, caller, now }) => {
    const [balances, monthly, categories] = await Promise.all([
      readBalances(database, caller.member_id, now()),
      listMonthlyIncome(database, caller.member_id, months_max),
      listIncomeByCategory(database, caller.member_id),
    ]);
    return toSummaryWire({ balances, monthly, categories });
  },
});
