import fc from 'fast-check';
import { expect, test } from 'vitest';
import { organisationSizes, type Organisation } from './resource.ts';
import { listChangedFields, applyPatch } from './rules.ts';

const organisation: Organisation = {
  id: '00000000-0000-4000-8000-000000000000',
  name: 'Harbour Health',
  industry: 'health',
  size: 'mid_market',
  tier: 'E1 Explorer',
  headquarters_country: 'AU',
  website: 'https://harbour.example',
  suspended_at: null,
  created_at: new Date('2026-01-01T00:00:00Z'),
};

const visible = fc.string({ minLength: 1, unit: 'grapheme-ascii' }).map((text) => `x${text}x`);
const patches = fc.record(
  {
    name: visible,
    industry: fc.option(visible),
    size: fc.option(fc.constantFrom(...organisationSizes)),
    headquarters_country: fc.option(fc.constantFrom('AU', 'NZ')),
    website: fc.option(
      fc.webUrl({ validSchemes: ['https'] }).filter((url) => /\.[a-z][a-z0-9-]*([/?#]|$)/.test(url)),
    ),
  },
  { requiredKeys: [] },
);

test('a change sets its fields, leaves the others, and has no further effect when repeated', () => {
  fc.assert(
    fc.property(
      patches.filter((patch) => Object.keys(patch).length > 0),
      (patch) => {
        const after = applyPatch(organisation, patch);
        expect(after).toEqual({ ...organisation, ...patch });
        expect(applyPatch(after, patch)).toEqual(after);
        const changed = listChangedFields(organisation, after);
        expect(changed.every((field) => field in patch)).toBe(true);
        expect(changed.length === 0).toBe(listChangedFields(after, organisation).length === 0);
      },
    ),
  );
});

test('rejects a change without fields', () => {
  for (const patch of [{}, { name: undefined, website: undefined }])
    expect(() => applyPatch(organisation, patch)).toThrow(expect.objectContaining({ code: 'field_invalid' }));
});
