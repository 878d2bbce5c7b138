import type { MailText } from '../send-mail.ts';

/** What happened to a request for a human review, for one of its sides. */
export type ReviewFacts = {
  readonly match_id: string;
  readonly change: 'requested' | 'due_soon' | 'overdue' | 'answered';
  readonly side: 'member' | 'organisation';
  /** The date by which the organisation answers, in words. */
  readonly due_on: string;
  readonly job_title: string;
};

/** Builds an email about a request for a human review. The organisation gets none about its own answer. */
export function buildReviewMail(publicUrl: string, facts: ReviewFacts): MailText {
  return facts.side === 'member' ? buildForMember(publicUrl, facts) : buildForOrganisation(publicUrl, facts);
}

function buildForMember(publicUrl: string, { match_id, change, due_on, job_title }: ReviewFacts): MailText {
  return {
    subject: change === 'answered' ? 'Your review was answered' : 'Your review is overdue',
    parts: [
      change === 'answered'
        ? 'A person has answered your request for a review of the match with this job:'
        : `The organisation should have answered your request for a review by ${due_on}. It was reminded, and the operator of this service can see it. The request is about this job:`,
      { words: job_title },
      { link: `${publicUrl}/app/matches/${match_id}/review`, label: 'See the request', look: 'button' },
    ],
  };
}

function buildForOrganisation(publicUrl: string, { change, due_on, job_title }: ReviewFacts): MailText {
  return {
    subject: {
      requested: 'A member asks for a human review',
      due_soon: 'A human review is due soon',
      overdue: 'A human review is overdue',
      answered: '',
    }[change],
    parts: [
      'A member asks that a person looks at a match with this job, and at what was decided:',
      { words: job_title },
      change === 'overdue'
        ? `The answer was due on ${due_on}. The member and the operator of this service can see that it is overdue.`
        : `Please answer by ${due_on}.`,
      { link: `${publicUrl}/app/reviews`, label: 'Read the request', look: 'button' },
    ],
  };
}
