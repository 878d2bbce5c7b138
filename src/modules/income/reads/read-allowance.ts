import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { listMonthlySpend } from '#modules/income/books';
import { findOrganisation } from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { findFreeBasis } from './making/find-free-basis.ts';
import { computeFirstMonth, computeNextDay, formatDay, readLimits } from './rules.ts';
import { countDailyReads, countFreeReads } from './store.ts';
import { allowanceWire, toAllowanceWire } from './wire.ts';

const months_max = 12;

export const readAllowance = operation({
  name: 'reads.readAllowance',
  title: 'Read what is left of your reads',
  summary:
    'Returns how many reads the caller’s organisation has left today, how many free reads it has left, and what it has spent by month.',
  who: orgRoles,
  input: Type.Object({}),
  output: { 200: allowanceWire },
  refuses: ['organisation_not_found'],
  run: async ({ database, config, caller, now: readClock }) => {
    const { org_id } = caller;
    const now = readClock();
    const [organisation, basis, daily, free, monthly] = await Promise.all([
      findOrganisation(database, org_id),
      findFreeBasis({ config }, database, org_id),
      countDailyReads(database, org_id, formatDay(now)),
      countFreeReads(database, org_id),
      listMonthlySpend(database, org_id, computeFirstMonth(now, months_max)),
    ]);
    if (!organisation) throw new Refusal('organisation_not_found');
    const { daily_reads, free_reads } = readLimits[organisation.tier];
    const limits = { daily_reads, free_reads: basis ? free_reads : 0 };
    const used = { daily_reads: daily, free_reads: free };
    return toAllowanceWire(limits, used, { resets_at: computeNextDay(now), monthly });
  },
});
