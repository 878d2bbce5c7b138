import { setTimeout as pause } from 'node:timers/promises';
import type { Send } from '../cluster/load/send.ts';

/** Members who answer assessments until they are stopped. */
export type AnswerLoad = {
  /** How many answers were acknowledged. */
  readonly countAnswers: () => number;
  /** How many replies had each status; `none` counts requests whose connection broke. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly stop: () => Promise<void>;
};

/** What the API says about an assessment. */
type State = { readonly next_item: { readonly item_id: string } | null };

/** More than the first stage asks, so that answers come before and after a result. */
const answers_each = 60;
const rest_ms = 50;

/** Starts members who register, agree to be measured, and answer one statement after the other; each is followed by another member. */
export function startAnswering(send: Send, members_at_once: number): AnswerLoad {
  const stopping = new AbortController();
  const statuses = new Map<string, number>();
  let members = 0;
  let answers = 0;
  /** Sends a request until it succeeds. @returns the reply; undefined if the load was stopped before. */
  const post = async <Reply>(path: string, body: object, token?: string): Promise<Reply | undefined> => {
    while (!stopping.signal.aborted) {
      const { status, reply } = await send(path, body, token).catch(() => ({ status: 'none', reply: {} }));
      statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1);
      if (status === 200 || status === 201) return reply as Reply;
      await pause(rest_ms);
    }
    return undefined;
  };
  const answerAssessment = async () => {
    const person = {
      email: `measured-${++members}@rolling.example`,
      password: 'Correct-Horse-9',
      name: 'Ada',
    };
    const token = (await post<{ access_token: string }>('/auth/register', person))?.access_token;
    await post(
      '/members/me/consent',
      { consent_type: 'assessment_data', granted: true, version: '1.0' },
      token,
    );
    let state = await post<State>('/members/me/assessment', {}, token);
    for (let count = 0; count < answers_each && state; count++) {
      const { next_item } = state;
      if (!next_item) state = await post<State>('/members/me/assessment', { deepen: true }, token);
      else {
        const answer = { item_id: next_item.item_id, option: count % 5 };
        state = await post<State>('/members/me/assessment/answers', answer, token);
        if (state) answers++;
      }
      await pause(rest_ms);
    }
  };
  const goOn = async () => {
    while (!stopping.signal.aborted) await answerAssessment();
  };
  const members_busy = Array.from({ length: members_at_once }, goOn);
  return {
    countAnswers: () => answers,
    statuses,
    stop: async () => {
      stopping.abort();
      await Promise.all(members_busy);
    },
  };
}
