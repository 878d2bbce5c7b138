import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { decodeCursor, encodeCursor, buildFilterScope, buildPage } from '#lib/cursor.ts';
import { operation } from '#platform/operation.ts';
import { buildPageSchema, pageQuery } from '#platform/database/paging.ts';
import { buildPrefixQuery } from '../rules.ts';
import { countFoundTemplates, listFoundTemplates, type FoundTemplate, type TemplatePlace } from './store.ts';
import { templateWire, toTemplateWire } from '../wire.ts';

export const searchTemplates = operation({
  name: 'jobs.searchTemplates',
  summary: 'Trait priorities by occupation to start a job from, those that fit the query best first.',
  who: [...orgRoles, 'platform_admin'],
  input: Type.Object({
    query: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: '^[^\\u0000]*$',
        description:
          'Words or their beginnings; "exact words", OR and -exclusion work. Without it come all, by code.',
      }),
    ),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(templateWire) },
  refuses: ['cursor_invalid'],
  run: async ({ database, secrets }, { query = '', limit, cursor }) => {
    const key = secrets.deriveKey('cursor');
    const scope = buildFilterScope('jobs.searchTemplates', { query });
    const after = cursor === undefined ? undefined : (decodeCursor(key, scope, cursor) as TemplatePlace);
    const search = { query, beginnings: buildPrefixQuery(query) };
    const [rows, total_count] = await Promise.all([
      listFoundTemplates(database, search, after, limit + 1),
      countFoundTemplates(database, search),
    ]);
    const encodeRowCursor = ({ rank, onet_code }: FoundTemplate) =>
      encodeCursor(key, scope, [rank, onet_code]);
    const { data, pagination } = buildPage({ rows, limit, total_count, next: encodeRowCursor });
    return { data: data.map(toTemplateWire), pagination };
  },
});
