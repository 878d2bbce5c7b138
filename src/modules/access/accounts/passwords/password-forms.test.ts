import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listPasswordForms } from './password-forms.ts';

it('finds a word with added characters, with substituted characters, and repeated', () => {
  for (const password of [
    'Password1234!',
    'P@$$w0rd2024!',
    '!!!PASSWORD',
    'PasswordPassword1!',
    'Aapassword1!',
    'P4s5w0rd#',
  ])
    expect([password, listPasswordForms(password).includes('password')]).toEqual([password, true]);
});

it('does not find a word that is part of a longer phrase', () => {
  for (const password of [
    'Password-of-my-garden-9',
    'My-long-password-9',
    'Password-83649-26153!',
    'Password-xyz-1',
  ])
    expect([password, listPasswordForms(password).includes('password')]).toEqual([password, false]);
});

it('lists a bounded number of forms for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }), (password) => {
      const forms = listPasswordForms(password);
      expect(forms.length).toBeLessThanOrEqual(270);
      expect(forms).toContain(password.normalize('NFKC').toLowerCase());
    }),
  );
});
