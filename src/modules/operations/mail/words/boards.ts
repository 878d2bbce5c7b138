import type { MailText } from '../send-mail.ts';

/** Builds the email that tells an administrator that a followed board could not be read for a week. `fault` completes “The address …”. */
export function buildBoardPause(
  publicUrl: string,
  { url, fault }: { readonly url: string; readonly fault: string },
): MailText {
  return {
    subject: 'Your job board cannot be read',
    parts: [
      `For seven days, Tessera could not read the jobs at ${new URL(url).host}, and has stopped trying. The address ${fault}.`,
      'Your jobs stay as they are. Once the address works, resume it or follow another one:',
      { link: `${publicUrl}/app/jobs/import`, label: 'See your boards' },
    ],
  };
}
