import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { listViews as listStoredViews } from './store.ts';
import { viewWire } from './wire.ts';

export const listViews = operation({
  name: 'matches.listViews',
  title: 'List the saved views',
  summary: 'Lists the views of tables that the caller’s organisation has saved, by name: at most 20.',
  who: ['org_admin', 'org_viewer'],
  input: Type.Object({}),
  output: { 200: closedObject({ data: field(Type.Array(viewWire), 'The views.') }, { $id: 'TableViews' }) },
  refuses: [],
  run: async ({ database, caller }) => ({ data: await listStoredViews(database, caller.org_id) }),
});
