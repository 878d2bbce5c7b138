import { listOperation } from '#platform/list-operation.ts';
import { countKeys, listKeys, type KeyPlace } from './store.ts';
import { serviceKeyWire, toWire } from './wire.ts';

export const listServiceKeys = listOperation({
  name: 'serviceKeys.listServiceKeys',
  title: 'List service keys',
  summary: 'Lists the service keys of the organisation, newest first, with their last use.',
  who: ['org_admin', 'auditor'],
  getOwner: ({ org_id }) => org_id,
  list: listKeys,
  count: countKeys,
  getPlace: ({ created_at, id }): KeyPlace => [created_at.toISOString(), id],
  item: serviceKeyWire,
  toItem: toWire,
});
