import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { limitRendering } from '#platform/limits/limit-exports.ts';
import { file, operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { collectPersonalData, formatLongCsv } from './collect-personal-data.ts';

export const exportMemberData = operation({
  name: 'rights.exportMemberData',
  summary:
    'Downloads all data about a member as one CSV. Only that member may download it, and no other role.',
  who: ['member'],
  input: Type.Object({ member_id: uuid }),
  output: { 200: file('text/csv; charset=utf-8') },
  refuses: ['member_not_found', 'too_many_exports'],
  samples: {
    reply: 'section,record,field,value\r\nmembers.member,1,display_name,Ada Lind\r\n',
  },
  writes_on_read: 'Nothing; the transaction reads all tables as they were at one moment.',
  run: async (context, { member_id }) => {
    const { transaction, personalData, caller, now } = context;
    if (member_id.toLowerCase() !== caller.member_id) throw new Refusal('member_not_found');
    return limitRendering(context, async () => {
      const sections = await transaction((tx) => collectPersonalData(personalData, tx, caller.member_id), {
        isolation: 'repeatable read',
      });
      const filename = `tessera-data-${now().toISOString().slice(0, 10)}.csv`;
      return { filename, content: [...formatLongCsv(sections)].join('') };
    });
  },
});
