import { listOperation } from '#platform/list-operation.ts';
import { countKeys, listKeys, type KeyPlace } from '../store.ts';
import { serviceKeyWire, toWire } from '../wire.ts';

export const listOperatorKeys = listOperation({
  name: 'serviceKeys.listOperatorKeys',
  title: 'List service keys of the operator',
  summary: 'Lists the service keys of the operator, newest first, with their last use.',
  who: ['platform_admin'],
  getOwner: () => 'operator',
  list: (db, _owner, after: KeyPlace | undefined, limit) => listKeys(db, null, after, limit),
  count: (db) => countKeys(db, null),
  getPlace: ({ created_at, id }): KeyPlace => [created_at.toISOString(), id],
  item: serviceKeyWire,
  toItem: toWire,
});
