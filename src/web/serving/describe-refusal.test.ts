import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { english } from '../texts/english.ts';
import { describeRefusal } from './describe-refusal.ts';

describe('a refusal of a form', () => {
  it('is described in the words of the catalogue, or else in those of the API', () => {
    expect(describeRefusal(english, new Refusal('credentials_wrong')).message).toBe(
      english.refusals.credentials_wrong,
    );
    expect(describeRefusal(english, new Refusal('match_ended')).message).toBe('The match has ended.');
  });

  it('names each field once, with all of its reasons', () => {
    const reasons = ['needs a digit', 'needs an uppercase letter', 'needs a digit'];
    const errors = reasons.map((reason) => ({ pointer: '/password', reason }));
    expect(describeRefusal(english, new Refusal('password_too_weak', { errors })).errors).toEqual({
      password: 'Needs a digit, needs an uppercase letter.',
    });
  });

  it('names no type, no NUL and no half of a character to a person', async () => {
    // The reason that every text of the API has, and those of the parsers.
    const sources = [
      'src/platform/schema.ts',
      'src/platform/http/form.ts',
      'src/platform/http/read-json-bodies.ts',
      'src/modules/income/stubs/wire.ts',
    ];
    const code = (await Promise.all(sources.map((each) => readFile(each, 'utf8')))).join('\n');
    const machine = [...code.matchAll(/'(must [^'\n]*NUL[^'\n]*)'/g)].map(([, reason]) => reason!);
    expect(machine.length).toBeGreaterThan(3);
    for (const reason of machine) {
      const { errors } = describeRefusal(
        english,
        createFieldRefusal('field_invalid', '/display_name', reason),
      );
      expect([reason, errors['display_name']]).toEqual([
        reason,
        expect.not.stringMatching(/NUL|surrogate|character and/),
      ]);
    }
  });

  it('says what to enter where the reason of the API speaks of formats', () => {
    const refusal = createFieldRefusal('field_invalid', '/email', 'must have the expected form');
    expect(describeRefusal(english, refusal).errors).toEqual({ email: english.reasons.email });
    const taken = createFieldRefusal('field_invalid', '/email', 'must differ from the current address');
    expect(describeRefusal(english, taken).errors).toEqual({
      email: 'Must differ from the current address.',
    });
  });
});
