import type { TestApp, TestReply } from '#test/harness.ts';

/** Observations of eight traits. */
export const observations = [
  'persistence',
  'accountability',
  'sincerity',
  'fair_dealing',
  'analytical_depth',
  'change_agility',
  'social_initiative',
  'autonomy_drive',
].map((trait) => ({ trait, level: 'above', confidence: 'high' }));

/** Prepares an identity. */
export function createStub(app: TestApp, body: object = {}): Promise<TestReply> {
  return app.request('POST', '/identity/stubs', { body: { observations, subject_agreed: true, ...body } });
}
