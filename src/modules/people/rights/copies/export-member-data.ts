import { buffer } from 'node:stream/consumers';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { limitRendering } from '#platform/limits/limit-exports.ts';
import { file, operation } from '#platform/operation.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { field, uuid } from '#platform/schema.ts';
import { collectPersonalData, formatLongCsv } from './collect-personal-data.ts';
import { workbook_type, writeDataWorkbook } from './write-data-workbook.ts';

const media_types = { csv: 'text/csv; charset=utf-8', xlsx: workbook_type } as const;

export const exportMemberData = operation({
  name: 'rights.exportMemberData',
  summary:
    'Downloads all data about a member as one table: CSV, or a workbook. Only that member may download it, and no other role.',
  who: ['member'],
  input: Type.Object({
    member_id: uuid,
    format: field(
      Type.Enum(['csv', 'xlsx'], { default: 'csv' }),
      'The format of the file: CSV, or a workbook for Excel and LibreOffice.',
      'xlsx',
    ),
  }),
  output: { 200: file(media_types.csv, media_types.xlsx) },
  refuses: ['member_not_found', 'too_many_exports'],
  samples: {
    reply: 'section,record,field,value\r\nmembers.member,1,display_name,Ada Lind\r\n',
  },
  writes_on_read: 'Nothing; the transaction reads all tables as they were at one moment.',
  run: async (context, { member_id, format }) => {
    const { transaction, personalData, caller, now } = context;
    if (member_id !== caller.member_id) throw new Refusal('member_not_found');
    return limitRendering(context, async () => {
      const sections = await transaction((tx) => collectPersonalData(personalData, tx, caller.member_id), {
        isolation: 'repeatable read',
      });
      return {
        media_type: media_types[format],
        filename: `tessera-data-${now().toISOString().slice(0, 10)}.${format}`,
        content: format === 'xlsx' ? await buffer(writeDataWorkbook(sections)) : formatTable(sections),
      };
    });
  },
});

function formatTable(sections: readonly PersonalDataRows[]): string {
  return [...formatLongCsv(sections)].join('');
}
