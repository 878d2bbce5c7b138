import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
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
  refuses: ['member_not_found'],
  samples: {
    reply: 'section,record,field,value\r\nmembers.member,1,display_name,Ada Lind\r\n',
  },
  run: async ({ transaction, personalData, caller, now }, { member_id }) => {
    if (member_id.toLowerCase() !== caller.member_id) throw new Refusal('member_not_found');
    const sections = await transaction((tx) => collectPersonalData(personalData, tx, caller.member_id), {
      isolation: 'repeatable read',
    });
    const filename = `tessera-data-${now().toISOString().slice(0, 10)}.csv`;
    return { filename, content: [...formatLongCsv(sections)].join('') };
  },
});
