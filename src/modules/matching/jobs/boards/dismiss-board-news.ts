import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { dismissNews } from './store.ts';

export const dismissBoardNews = operation({
  name: 'jobs.dismissBoardNews',
  title: 'Put news of a board aside',
  summary:
    'Puts news of a followed board aside. It comes back when the posting changes. A job whose posting has gone then stays open.',
  who: ['org_admin'],
  input: Type.Object({ news_id: uuid }),
  output: { 204: null },
  refuses: ['board_news_not_found'],
  run: (context, { news_id: id }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      const { board_id } = requireFound(await dismissNews(tx, { id, org_id }), 'board_news_not_found');
      await recordCallerAudit(context, tx, { action: 'jobs.news_dismissed', org_id, detail: { board_id } });
      return null;
    }),
});
