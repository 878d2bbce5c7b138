import type * as achievements from '#modules/credentials/achievements';
import type { OperationBody, OperationInput } from '#platform/operation.ts';
import type { Field } from '../../parts/form.ts';
import type { Visit } from '../../serving/page.ts';

export type Achievement = OperationBody<typeof achievements.listAchievements>['data'][number];

type Alignment = Achievement['alignments'][number];

const no_alignment = { framework: '', code: '', name: '' } as const;

/** The fields of a new achievement, or of one that is changed. A changed one has a row for each of its codes, and one more. */
export function listAchievementFields(
  { achievements: texts }: Visit['texts'],
  achievement?: Achievement,
): readonly Field[] {
  const rows = [...(achievement?.alignments ?? []), no_alignment].slice(0, alignments_max);
  const fields: readonly Field[] = [
    { name: 'name', label: texts.name, maxlength: 100 },
    { name: 'description', label: texts.description, lines: 2, maxlength: 500 },
    { name: 'criteria', label: texts.criteria, hint: texts.criteriaHint, lines: 3, maxlength: 1000 },
    {
      name: 'image',
      label: texts.image,
      hint: achievement?.image_url ? `${texts.imageHint} ${texts.imageKept}` : texts.imageHint,
      type: 'file',
      accept: 'image/png,image/jpeg,image/webp',
      optional: true,
    },
    ...(achievement?.image_url
      ? [{ name: 'no_image', label: texts.noImage, look: 'check', optional: true } as const]
      : []),
    ...rows.flatMap((row, index) => listAlignmentFields(texts, row, index)),
  ];
  if (!achievement) return fields;
  const { id, name, description, criteria } = achievement;
  const values: Readonly<Record<string, string>> = { name, description, criteria };
  return fields.map((field) => ({ value: values[field.name], ...field, id: `${field.name}-${id}` }));
}

const alignments_max = 10;

function listAlignmentFields(
  texts: Visit['texts']['achievements'],
  { framework, code, name }: Alignment | typeof no_alignment,
  index: number,
): readonly Field[] {
  return [
    {
      name: `framework_${index}`,
      label: texts.framework,
      value: framework,
      may_be_empty: true,
      options: Object.entries(texts.frameworks),
    },
    {
      name: `code_${index}`,
      label: texts.code,
      hint: texts.codeHint,
      value: code,
      maxlength: 120,
      optional: true,
    },
    { name: `code_name_${index}`, label: texts.codeName, value: name, maxlength: 200, optional: true },
  ];
}

type Sent = Readonly<Record<string, string>>;

/** Reads the fields of an achievement. The operation refuses what is wrong. A form of a file has it as base64. */
export function readAchievement(
  fields: Sent,
): Omit<OperationInput<typeof achievements.createAchievement>, 'image'> & { readonly image?: string } {
  const { name = '', description = '', criteria = '', image = '' } = fields;
  return {
    name: name.trim(),
    description: description.trim(),
    criteria: criteria.trim(),
    alignments: readAlignments(fields),
    ...(image !== '' && { image }),
  };
}

/** A row without a framework is left out. */
function readAlignments(fields: Sent): Alignment[] {
  return Array.from({ length: alignments_max }, (_, index) => ({
    framework: fields[`framework_${index}`] as Alignment['framework'],
    code: (fields[`code_${index}`] ?? '').trim(),
    name: (fields[`code_name_${index}`] ?? '').trim(),
  })).filter(({ framework }) => Boolean(framework));
}
