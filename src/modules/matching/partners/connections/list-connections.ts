import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, toReply } from '#platform/schema.ts';
import { listConnections as listStored } from '../store.ts';
import { connectionWire } from '../wire.ts';

export const listConnections = operation({
  name: 'partners.listConnections',
  title: 'List connected applicant tracking systems',
  summary: 'Lists the applicant tracking systems to which results go. The key of none is in a reply.',
  who: orgRoles,
  input: Type.Object({}),
  output: { 200: closedObject({ data: Type.Array(connectionWire) }) },
  refuses: [],
  run: async ({ database, caller }) => {
    const connections = await listStored(database, caller.org_id);
    return { data: connections.map((each) => toReply(connectionWire, each)) };
  },
});
