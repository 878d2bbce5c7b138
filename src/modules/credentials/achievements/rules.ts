import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { readPicture, type Picture } from '#lib/picture.ts';
import type { Organisation } from '#modules/organisations/orgs';

/** Frameworks of skills and occupations that an achievement can refer to. */
export const frameworks = ['esco', 'onet'] as const;

/** What an achievement corresponds to in a framework: a URI of ESCO, or a code of O*NET-SOC. */
export type Alignment = {
  readonly framework: (typeof frameworks)[number];
  readonly code: string;
  readonly name: string;
};

export type AchievementFields = {
  readonly name: string;
  readonly description: string;
  readonly criteria: string;
  readonly image: StoredPicture | null;
  readonly alignments: readonly Alignment[];
};

/** An achievement that an organisation has defined, without its picture. */
export type Achievement = Omit<AchievementFields, 'image'> & {
  readonly id: string;
  readonly org_id: string;
  readonly image_type: StoredPicture['media_type'] | null;
  /** Whether it was offered to somebody: from then on, only `archived` changes. */
  readonly is_offered: boolean;
  readonly archived: boolean;
  readonly created_at: Date;
};

/** A picture as it was sent, with its media type by content. */
export type StoredPicture = { readonly content: Buffer; readonly media_type: Picture['media_type'] };

/** How many achievements that are not archived each tier allows. */
export const achievementLimits: Readonly<Record<Organisation['tier'], number>> = {
  'E1 Explorer': 10,
  'E2 Builder': 50,
  'E3 Operator': 200,
  partner: 1_000,
};

export const alignments_max = 10;
export const image_bytes_max = 128 * 1024;
const image_pixels_min = 32;
const image_pixels_max = 2_048;

/**
 * Reads a picture from base64.
 *
 * @throws Refusal `field_invalid` if it is no PNG, JPEG or WebP by its content, or too large or small.
 */
export function decodeImage(base64: string): StoredPicture {
  const content = Buffer.from(base64, 'base64');
  const picture = content.length <= image_bytes_max ? readPicture(content) : undefined;
  if (picture === undefined || !isFitting(picture.width) || !isFitting(picture.height))
    throw createFieldRefusal(
      'field_invalid',
      '/image',
      `must be a PNG, JPEG or WebP image of at most ${image_bytes_max / 1024} KiB, with ${image_pixels_min} to ${image_pixels_max} pixels on each side`,
    );
  return { content, media_type: picture.media_type };
}

function isFitting(pixels: number): boolean {
  return pixels >= image_pixels_min && pixels <= image_pixels_max;
}

const codeForms: Readonly<Record<Alignment['framework'], readonly [form: RegExp, reason: string]>> = {
  esco: [
    /^http:\/\/data\.europa\.eu\/esco\/(?:skill|occupation)\/[0-9a-zA-Z.-]{1,60}$/,
    'must be the URI of a skill or an occupation of ESCO, such as http://data.europa.eu/esco/skill/ccd0a1d9-afda-43d9-b901-96344886e14d',
  ],
  onet: [/^\d{2}-\d{4}\.\d{2}$/, 'must be a code of O*NET-SOC, such as 29-1141.00'],
};

/** Checks the code of each alignment. @throws Refusal `field_invalid` with all that are wrong. */
export function checkAlignments(alignments: readonly Alignment[]): void {
  const errors = alignments.flatMap(({ framework, code }, index) => {
    const [form, reason] = codeForms[framework];
    return form.test(code) ? [] : [{ pointer: `/alignments/${index}/code`, reason }];
  });
  if (errors.length === 0) return;
  const detail = errors.map(({ pointer, reason }) => `${pointer}: ${reason}`).join('; ');
  throw new Refusal('field_invalid', { detail, errors });
}

/** Checks that one more achievement is allowed. @throws Refusal `achievement_limit_reached`. */
export function checkAchievementCount(tier: Organisation['tier'], count: number): void {
  const limit = achievementLimits[tier];
  if (count >= limit)
    throw new Refusal('achievement_limit_reached', {
      detail: `The tier ${tier} allows ${limit} achievements. Archive one first.`,
    });
}

/** Alignments in the words of Open Badges 3.0. The URI of ESCO is an address; a code of O*NET-SOC has a public page. */
export function describeAlignments(alignments: readonly Alignment[]) {
  return alignments.map(({ framework, code, name: targetName }) =>
    framework === 'esco'
      ? { targetName, targetUrl: code, targetFramework: 'ESCO' }
      : {
          targetName,
          targetUrl: `https://www.onetonline.org/link/summary/${code}`,
          targetFramework: 'O*NET',
          targetCode: code,
        },
  );
}

/** One of these in words, such as "project management (ESCO)". */
export function formatAlignment({
  targetName,
  targetFramework,
}: {
  readonly targetName: string;
  readonly targetFramework: string;
}): string {
  return `${targetName} (${targetFramework})`;
}

/** The URL of the picture of an achievement. */
export function buildImageUrl(publicUrl: string, id: string): string {
  return `${publicUrl}/achievement-images/${id}`;
}
