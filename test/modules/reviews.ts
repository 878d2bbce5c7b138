import type { TestApp, TestReply } from '#test/harness.ts';
import type { TestMatch } from './feedback.ts';

export const askForReview = (
  app: TestApp,
  { match_id, member }: TestMatch,
  body: object = {},
  token: string | undefined = member.token,
): Promise<TestReply> =>
  app.request('POST', `/matches/${match_id}/review`, { ...(token && { token }), body });

export const reviewAnswer = { outcome: 'upheld', answer: 'The head of the ward has read the profile again.' };

export const answerReview = (
  app: TestApp,
  { match_id, org }: TestMatch,
  body: object = reviewAnswer,
  token: string | undefined = org.token,
): Promise<TestReply> =>
  app.request('POST', `/matches/${match_id}/review/answer`, { ...(token && { token }), body });

export const withdrawReview = (app: TestApp, { match_id, member }: TestMatch): Promise<TestReply> =>
  app.request('POST', `/matches/${match_id}/review/withdraw`, { token: member.token, body: {} });

export const readReviews = (app: TestApp, { match_id }: TestMatch, token: string): Promise<TestReply> =>
  app.request('GET', `/matches/${match_id}/reviews`, { token });
