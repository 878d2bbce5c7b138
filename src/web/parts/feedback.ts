import * as placements from '#modules/matching/placements';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';
import { renderFacts } from './facts.ts';
import { renderForm, type Field } from './form.ts';

type Side = 'member' | 'organisation';
type List = OperationBody<typeof placements.listFeedback>;
type Answer = List['data'][number];
type Stage = List['stages'][number];

const comment_characters_max = 2000;
const ratings = ['overall_rating', 'performance', 'belonging', 'growth'] as const;

/** Renders the questions about a placement, if this side is asked now, and the answers of both sides. */
export async function renderFeedback(visit: Visit, match_id: string, side: Side): Promise<Html> {
  const { data, stages } = await visit.call(placements.listFeedback, { match_id });
  const { feedback: texts } = visit.texts;
  const now = visit.now.toISOString();
  const opened = stages.filter(({ opens_at }) => opens_at <= now);
  const next = stages.find(({ opens_at }) => opens_at > now);
  const latest = opened.at(-1);
  const mayAnswer = visit.caller.role === 'member' || visit.caller.role === 'org_admin';
  const isAsked = mayAnswer && latest !== undefined && !latest.given_by.includes(side);
  return html`<section class="feedback ${side === 'member' && 'panel'}" id="feedback">
    ${side === 'member' ? html`<h2>${texts.title}</h2>` : html`<h3>${texts.title}</h3>`}
    ${isAsked && renderQuestions(visit, { match_id, side, stage: latest })}
    ${opened.filter(({ given_by }) => !isAsked || given_by.length > 0).map((stage) => renderAnswers(visit, side, { stage, data }))}
    ${!isAsked && next && mayAnswer && html`<p class="quiet">${texts.next(visit.format.formatDate(next.opens_at))}</p>`}
  </section>`;
}

type Asked = { readonly match_id: string; readonly side: Side; readonly stage: Stage };

function renderQuestions(visit: Visit, { match_id, side, stage }: Asked): Html {
  const { texts, format } = visit;
  const { feedback: words } = texts;
  const questions = words.questions[side];
  const fields: readonly Field[] = [
    ...ratings.map((name) => ({
      name,
      label: questions[name],
      look: 'rating' as const,
      options: words.scaleWords.map((_, index) => [`${index + 1}`, format.formatNumber(index + 1)] as const),
      ...(name === 'overall_rating' ? { hint: words.scale } : { optional: 'unmarked' as const }),
    })),
    {
      name: 'would_repeat',
      label: questions.would_repeat,
      look: 'radio',
      optional: 'unmarked',
      options: [
        ['true', words.yes],
        ['false', words.no],
      ],
    },
    {
      name: 'comment',
      label: questions.comment,
      hint: words.commentHint,
      lines: 3,
      maxlength: comment_characters_max,
      optional: true,
    },
  ];
  return html`<p>${words.lead(format.formatNumber(stage.stage_days))}</p>
    ${renderForm(visit, {
      action: 'feedback',
      button: words.send,
      hidden: { match_id, stage_days: String(stage.stage_days) },
      fields,
      before_buttons: html`<p class="quiet small">${words.use}</p>`,
    })}`;
}

type Answered = { readonly stage: Stage; readonly data: readonly Answer[] };

/** Renders what both sides have said about a stage, in words. */
function renderAnswers({ texts, format }: Visit, side: Side, { stage, data }: Answered): Html {
  const { feedback: words } = texts;
  const answers = data.filter(({ stage_days }) => stage_days === stage.stage_days);
  const title = words.after(format.formatNumber(stage.stage_days));
  return html`${side === 'member' ? html`<h3>${title}</h3>` : html`<h4>${title}</h4>`}
  ${answers.length === 0 && html`<p class="quiet">${words.nobody}</p>`}
  ${answers.map((answer) => renderAnswer(words, side, answer))}`;
}

function renderAnswer(words: Visit['texts']['feedback'], side: Side, answer: Answer): Html {
  const questions = words.questions[answer.respondent];
  const { would_repeat, comment } = answer;
  return html`<p><strong>${words.by[side][answer.respondent]}</strong></p>
    ${renderFacts([
      ...ratings.map((name) => {
        const rating = answer[name];
        return [questions[name], rating === null ? null : words.scaleWords[rating - 1]] as const;
      }),
      [questions.would_repeat, would_repeat === null ? null : would_repeat ? words.yes : words.no],
      [questions.comment, comment],
    ])}`;
}

/** Sends the answers of a form of {@link renderFeedback}. What was left empty is not sent. */
export async function sendFeedback({ call }: Visit, fields: Readonly<Record<string, string>>): Promise<void> {
  const { match_id = '', comment = '', would_repeat } = fields;
  const readNumber = (name: string) => (fields[name] ? Number(fields[name]) : null);
  await call(placements.giveFeedback, {
    match_id,
    // The operation refuses what is no stage and no rating.
    stage_days: readNumber('stage_days') as Stage['stage_days'],
    overall_rating: readNumber('overall_rating') as number,
    performance: readNumber('performance'),
    belonging: readNumber('belonging'),
    growth: readNumber('growth'),
    would_repeat: would_repeat === undefined ? null : would_repeat === 'true',
    comment: comment.trim() || null,
  });
}
