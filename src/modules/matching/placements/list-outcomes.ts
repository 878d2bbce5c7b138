import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field, uuid } from '#platform/schema.ts';
import { findReadableMatch } from './find-readable-match.ts';
import { outcomes_max } from './rules.ts';
import { listOutcomes as listRecords } from './store.ts';
import { outcomeWire, toOutcomeWire } from './wire.ts';

export const listOutcomes = operation({
  name: 'placements.listOutcomes',
  title: 'List the outcomes of a match',
  summary:
    'Lists what became of a match, the oldest record first. The last one says what is true now. Its member, its organisation and platform administrators read it.',
  who: roles,
  input: Type.Object({ match_id: uuid }),
  output: {
    200: closedObject(
      { data: field(Type.Array(outcomeWire, { maxItems: outcomes_max }), 'All outcomes of the match.') },
      { $id: 'MatchOutcomeList' },
    ),
  },
  refuses: ['match_not_found', 'email_not_verified'],
  run: async (context, { match_id }) => {
    const match = await findReadableMatch(context, match_id);
    const records = await listRecords(context.database, match);
    return { data: records.map((record) => toOutcomeWire(match.id, record)) };
  },
});
