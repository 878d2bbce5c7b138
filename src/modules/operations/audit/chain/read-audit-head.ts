import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable, timestamp, toReply, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { signHead } from './head.ts';
import { emptyChain } from './rules.ts';
import { findEnd, findOrgEnd } from './store.ts';

const auditHeadWire = closedObject(
  {
    org_id: field(
      nullable(uuid),
      'The organisation whose entries the chain has; null for the whole installation.',
      sampleIds.organisation,
    ),
    position: field(Type.Integer({ minimum: 0 }), 'How many entries the chain has.', 42),
    head: field(
      Type.String({ pattern: '^[0-9a-f]{64}$' }),
      'The hash over all entries of the chain, in hexadecimal.',
      'c0535e4be2b79ffd93291305436bf889314e4a3faec05ecffcbb7df31ad9e51a',
    ),
    signed_at: field(timestamp, 'When it was signed.', '2026-03-01T00:00:00Z'),
    statement: field(
      Type.String({ maxLength: 2_000 }),
      'The same, signed as a compact JWS with a key of `/.well-known/jwks.json`. Keep it outside of the service.',
      'eyJhbGciOiJFUzI1NiJ9.eyJwb3NpdGlvbiI6NDJ9.c2lnbmF0dXJl',
    ),
  },
  { $id: 'AuditHead' },
);

export const readAuditHead = operation({
  name: 'audit.readAuditHead',
  summary:
    'Signs the head of the audit log, for an auditor to keep: of your organisation, or of the installation for platform administrators. As long as the log still leads to this head, no entry before it was changed, removed, added or reordered.',
  who: ['org_admin', 'auditor', 'platform_admin'],
  input: Type.Object({}),
  output: { 200: auditHeadWire },
  refuses: [],
  run: async (context) => {
    const { caller, database, now } = context;
    const org_id = caller.role === 'platform_admin' ? null : caller.org_id;
    const end = await (org_id === null ? findEnd(database) : findOrgEnd(database, org_id));
    const { position, head } = end ?? emptyChain;
    const signed = { org_id, position, head, signed_at: now() };
    return toReply(auditHeadWire, { ...signed, statement: signHead(context, signed) });
  },
});
