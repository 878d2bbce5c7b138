import { Type } from 'typebox';
import {
  checkConstraints,
  clearances,
  constraintsWire,
  type Clearance,
  type JobConstraints,
} from '#modules/matching/jobs';
import { operation } from '#platform/operation.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { countReach } from './count-reach.ts';
import { buildFilter, computeBand, isOutdated } from './rules.ts';
import { countReached, findCountTime } from './store.ts';
import { reachWire } from './wire.ts';

export const estimateReach = operation({
  name: 'matches.estimateReach',
  title: 'Estimate how many people a job reaches',
  summary:
    'Estimates how many people meet conditions on place, experience, education and clearance, as a coarse band. Preferences and traits do not count.',
  who: ['org_admin'],
  input: Type.Object({
    constraints: Type.Optional(constraintsWire),
    clearance_required: Type.Optional(Type.Enum(clearances, { default: 'none' })),
  }),
  output: { 200: reachWire },
  refuses: ['email_not_verified'],
  run: async (context, { constraints = {}, clearance_required = 'none' }) => {
    const { database, now, queue } = context;
    checkConstraints(constraints);
    await checkVerifiedAdmin(context);
    const counted_at = await findCountTime(database);
    const people = counted_at && (await countReached(database, buildFilter(constraints, clearance_required)));
    return context.transaction(async (tx) => {
      if (isOutdated(counted_at, now())) await queue.send(tx, countReach, {});
      if (people === undefined || counted_at === undefined)
        return { at_least: null, less_than: null, counted_at: null };
      const band = computeBand(people, drawChance(context.secrets, constraints, clearance_required));
      return { ...band, counted_at: counted_at.toISOString() };
    });
  },
});

/** The same chance whenever the same conditions are asked about, in any order. */
function drawChance(
  secrets: Pick<Secrets, 'computeHmac'>,
  constraints: JobConstraints,
  clearance_required: Clearance,
): number {
  const { countries, states, ...others } = buildFilter(constraints, clearance_required);
  const question = { countries: countries?.toSorted(), states: states?.toSorted(), ...others };
  return secrets.computeHmac('job-reach', JSON.stringify(question)).readUInt32BE(0) / 2 ** 32;
}
