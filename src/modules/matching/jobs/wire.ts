import { Type, type Static } from 'typebox';
import { closedObject, field } from '#platform/schema.ts';
import { traitPrioritiesWire } from './field-schemas.ts';
import { onetAttribution } from './templates/onet-text.ts';
import type { JobTemplate } from './templates/template-priorities.ts';

/** A job template. Its licence requires that `source` is shown with it. */
export const templateWire = closedObject(
  {
    onet_code: field(Type.String(), 'The code of the occupation in O*NET.', '19-2041.00'),
    title: field(Type.String(), 'The name of the occupation.', 'Environmental Scientists and Specialists'),
    description: field(
      Type.String(),
      'What people in the occupation do.',
      'Conduct research to find and reduce hazards that affect the environment.',
    ),
    trait_priorities: traitPrioritiesWire,
    source: field(Type.String(), 'The attribution that must be shown with the template.', onetAttribution),
  },
  { $id: 'JobTemplate', description: 'An occupation, with the priorities that its ratings speak for.' },
);

export function toTemplateWire(template: JobTemplate): Static<typeof templateWire> {
  const { onet_code, title, description, trait_priorities } = template;
  return { onet_code, title, description, trait_priorities, source: onetAttribution };
}
