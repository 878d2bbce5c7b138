import { Type } from 'typebox';
import { closedObject, field, nullable, timestamp } from '#platform/schema.ts';
import { version_max, versionDigits } from './rules.ts';
import { refusalReasons } from './estimation/decide-promotion.ts';

const count = Type.Integer({ minimum: 0 });
const versionNumber = Type.Integer({ minimum: 1 });
/** The number of a version in an address. */
export const versionInPath = Type.String({ pattern: versionDigits.source });
/** The number of a version, as far as the database has numbers. */
export const versionInput = Type.Integer({ minimum: 1, maximum: version_max });
const sampleTime = '2026-09-01T02:41:00.000Z';

/** What an evaluation found. */
export const findingsWire = closedObject(
  {
    evaluated_at: field(timestamp, 'When it was evaluated.', sampleTime),
    live_version: field(versionNumber, 'The version that it was compared with.', 1),
    gain: field(
      Type.Number(),
      'How much more often outcomes would be good, by the doubly robust estimate.',
      0.004,
    ),
    lower_bound: field(
      nullable(Type.Number()),
      'The gain is larger than this with 95 % probability; null without outcomes.',
      0.001,
    ),
    effective_share: field(Type.Number(), 'The effective sample size, as a share of the outcomes.', 0.92),
    outcomes: field(
      count,
      'The outcomes that it was estimated from, none of which trained the version.',
      480,
    ),
    organisations: field(count, 'The organisations that they are from.', 31),
    groups_compared: field(count, 'The groups of at least ten members who self-identified.', 9),
    regressions: field(
      Type.Array(Type.String()),
      'The questions of the self-identification on which a group would be worse off by the four-fifths rule.',
      [],
    ),
    largest_step: field(Type.Number(), 'The largest change of a multiplier.', 0.08),
    reasons: field(
      Type.Array(Type.Enum(refusalReasons)),
      'Why the version may not be promoted; empty if it may.',
      [],
    ),
  },
  { $id: 'PolicyEvaluation' },
);

export const policyWire = closedObject(
  {
    version: field(versionNumber, 'The number of the version.', 2),
    parent: field(nullable(versionNumber), 'The version that it was made from; null for the first.', 1),
    created_at: field(timestamp, 'When it was made.', sampleTime),
    outcomes: field(count, 'The outcomes that trained it.', 720),
    organisations: field(count, 'The organisations that they are from.', 34),
    families: field(
      Type.Array(Type.String()),
      'The occupation groups (SOC major groups) that have multipliers of their own.',
      ['29'],
    ),
    evaluation: field(nullable(findingsWire), 'Its latest evaluation; null if it has none.', null),
  },
  { $id: 'FitPolicy' },
);

export const useWire = closedObject(
  {
    version: field(versionNumber, 'The version that came into use.', 2),
    action: field(
      Type.Enum(['start', 'promote', 'rollback']),
      'How: with the installation, after an evaluation that allowed it, or because an operator went back.',
      'promote',
    ),
    used_at: field(timestamp, 'When.', sampleTime),
  },
  { $id: 'PolicyUse' },
);
