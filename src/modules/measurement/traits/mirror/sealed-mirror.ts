import { Refusal } from '#lib/refusal.ts';
import type { Services } from '#platform/platform.ts';
import type { Answer } from '../items/item.ts';
import { english } from '../items/languages.ts';

/** The first mirror of a visitor without an account. The visitor's browser has it, encrypted, and the service stores nothing of it. */
export type FirstMirror = {
  /** Draws the statements that the visitor can get. */
  readonly seed: string;
  readonly parameter_version: string;
  /** In which the statements are read. */
  readonly language: string;
  readonly answers: readonly Required<Answer>[];
  /** The statement that waits for its answer; null at the end. */
  readonly asked_id: string | null;
  /** When that statement was shown, in milliseconds since 1970. */
  readonly asked_ms: number;
};

/** How long a mirror can be continued or sent after its last statement was shown. */
export const mirror_ms = 3_600_000;

/** The longest text of a sealed mirror, or of a link that carries one, which fits into an address. */
export const sealed_characters_max = 3_000;

const purpose = 'first-mirror';

/** Encrypts a mirror for the visitor's browser, which can neither read nor change it. */
export function sealMirror({ secrets }: Pick<Services, 'secrets'>, mirror: FirstMirror): string {
  const { seed, parameter_version, language, answers, asked_id, asked_ms } = mirror;
  const given = answers.map(({ item_id, option, response_time_ms }) => [item_id, option, response_time_ms]);
  const text = JSON.stringify([seed, parameter_version, given, asked_id, asked_ms, language]);
  return secrets.encrypt(purpose, text).toString('base64url');
}

/**
 * Decrypts a mirror. `age_ms_max` is how long ago its last statement may have been shown.
 *
 * @throws Refusal `mirror_expired` if it is older, or no mirror of this service.
 */
export function openMirror(
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  sealed: string,
  age_ms_max = mirror_ms,
): FirstMirror {
  const text = decryptText({ secrets }, purpose, sealed);
  if (text === undefined) throw new Refusal('mirror_expired');
  const [seed, parameter_version, given, asked_id, asked_ms, language = english] = JSON.parse(
    text,
  ) as SealedMirror;
  if (now().getTime() - asked_ms > age_ms_max) throw new Refusal('mirror_expired');
  const answers = given.map(([item_id, option, response_time_ms]) => ({ item_id, option, response_time_ms }));
  return { seed, parameter_version, language, answers, asked_id, asked_ms };
}

/** The values without their names, because they travel in an address. */
type SealedMirror = readonly [
  seed: string,
  parameter_version: string,
  given: readonly (readonly [item_id: string, option: number, response_time_ms: number])[],
  asked_id: string | null,
  asked_ms: number,
  /** Absent in those from before languages. */
  language?: string,
];

/** A mirror on its way to an email address. */
export type MirrorLink = {
  readonly email: string;
  readonly mirror: string;
  /** When the visitor asked for the email, in milliseconds since 1970. */
  readonly asked_for_ms: number;
};

const link_purpose = 'first-mirror-link';

/** Encrypts a link, for the data of a task and for the email. Anyone who has it has proven that the mailbox is theirs. */
export function sealLink({ secrets }: Pick<Services, 'secrets'>, link: MirrorLink): string {
  return secrets.encrypt(link_purpose, JSON.stringify(link)).toString('base64url');
}

/** Decrypts a link; undefined if this service has not made it. */
export function openLink({ secrets }: Pick<Services, 'secrets'>, sealed: string): MirrorLink | undefined {
  const text = decryptText({ secrets }, link_purpose, sealed);
  return text === undefined ? undefined : (JSON.parse(text) as MirrorLink);
}

/** Decrypts a text that was encrypted for a purpose and sent out; undefined if this service has not made it. */
export function decryptText(
  { secrets }: Pick<Services, 'secrets'>,
  of: string,
  sealed: string,
): string | undefined {
  try {
    return secrets.decrypt(of, Buffer.from(sealed, 'base64url'));
  } catch {
    return undefined;
  }
}
