import { listOperation } from '#platform/list-operation.ts';
import { countVectors, listVectors as listStored } from '../store-vectors.ts';
import { toVectorSummaryWire, traitVectorSummaryWire } from '../wire.ts';

export const listVectors = listOperation({
  name: 'traits.listVectors',
  title: 'List the versions of your trait vector',
  summary: 'Lists the versions of the caller’s trait vector, newest first, without the traits.',
  who: ['member'],
  getOwner: ({ member_id }) => member_id,
  list: listStored,
  count: countVectors,
  getPlace: ({ version }) => [version],
  item: traitVectorSummaryWire,
  toItem: toVectorSummaryWire,
});
