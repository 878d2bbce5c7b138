import type { MailText } from '../send-mail.ts';
import { addChoice } from './matches.ts';

const words = {
  results_ready: {
    subject: 'Your results are ready',
    sentence:
      'You have answered the last statement of this part. What is clear about you comes first, and each result says how sure it is.',
    link: ['/app/traits', 'See my results'],
  },
  assessment_unfinished: {
    subject: 'Your assessment waits where you left it',
    sentence:
      'You began to answer statements a few days ago. Your answers are kept, and a few more minutes may be enough for your first results. We remind you once, and not again.',
    link: ['/app/assessment', 'Go on with my assessment'],
  },
  credential_offered: {
    subject: 'A credential waits for you',
    sentence:
      'A credential about you is ready. It says who vouches for it, and what it states. It exists only if you accept it, with one press; you can also decline it, or say that something is wrong.',
    link: ['/app/credentials', 'See what it says'],
  },
} as const;

/** Builds an email about a member's own assessment and credentials. */
export function buildAssessmentMail(publicUrl: string, kind: keyof typeof words): MailText {
  const { subject, sentence, link } = words[kind];
  const [path, label] = link;
  return addChoice(publicUrl, subject, [sentence, { link: `${publicUrl}${path}`, label, look: 'button' }]);
}
