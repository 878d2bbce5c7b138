import { Type } from 'typebox';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { countFindings, listFindings, type FindingPlace } from '../parameters/store-findings.ts';
import { loadOwnBank } from '../parameters/parameters-in-use.ts';
import { findingWire, stateInput, toFindingWire } from './wire.ts';

export const listItemFindings = operation({
  name: 'traits.listItemFindings',
  title: 'List findings about statements',
  summary:
    'Lists what calibrations and comparisons of groups found about the statements of the assessment, the newest first, and what was decided about it.',
  who: ['platform_admin'],
  input: Type.Object({ ...pageQuery, state: Type.Optional(stateInput) }),
  output: { 200: buildPageSchema(findingWire) },
  refuses: ['cursor_invalid'],
  run: async (context, { limit, cursor, state }) => {
    const { database } = context;
    const own = await loadOwnBank(database);
    return readPage(
      context,
      { name: 'traits.listItemFindings', filter: { state }, limit, cursor },
      {
        list: (after: FindingPlace | undefined, rows_max) => listFindings(database, state, after, rows_max),
        count: () => countFindings(database, state),
        getPlace: ({ found_at, id }): FindingPlace => [found_at.toISOString(), id],
        toItem: (finding) => toFindingWire(finding, own),
      },
    );
  },
});
