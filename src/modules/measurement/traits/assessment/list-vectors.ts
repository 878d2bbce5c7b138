import { Type } from 'typebox';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { countVectors, listVectors as listStored, type VectorPlace } from '../store-vectors.ts';
import { toVectorSummaryWire, traitVectorSummaryWire } from '../wire.ts';

export const listVectors = operation({
  name: 'traits.listVectors',
  title: 'List the versions of your trait vector',
  summary: 'Lists the versions of the caller’s trait vector, newest first, without the traits.',
  who: ['member'],
  input: Type.Object({ ...pageQuery }),
  output: { 200: buildPageSchema(traitVectorSummaryWire) },
  refuses: ['cursor_invalid'],
  run: (context, { limit, cursor }) => {
    const { database, caller } = context;
    const { member_id } = caller;
    return readPage(
      context,
      { name: 'traits.listVectors', filter: { member_id }, limit, cursor },
      {
        list: (after: VectorPlace | undefined, rows_max) => listStored(database, member_id, after, rows_max),
        count: () => countVectors(database, member_id),
        getPlace: ({ version }): VectorPlace => [version],
        toItem: toVectorSummaryWire,
      },
    );
  },
});
