import { Refusal } from '#lib/refusal.ts';
import type { OriginHandler } from '#platform/http/origin-routes.ts';
import { allowedTiers, credentialTypes } from '../rules.ts';
import { describeAchievement, toAchievementWire, type AchievementKey } from '../signing/achievements.ts';
import { buildIssuer } from '../signing/issuer.ts';
import { open_badge_context } from '../signing/open-badge.ts';
import { pictureNames, readPicture, readPlainCard } from './badge-pictures.ts';

// What the id of an achievement, and the addresses of its pictures, lead to. They say nothing about any person.

/** Achievements and their pictures change with a release only. */
const cached = { 'cache-control': 'public, max-age=86400' };

/** The definition of an achievement, as JSON-LD of Open Badges 3.0. */
export const serveAchievement: OriginHandler = ({ config }, { params }) => {
  const achievement = describeAchievement(buildIssuer(config.publicUrl), readKey(params));
  const content = JSON.stringify({ '@context': [open_badge_context], ...toAchievementWire(achievement) });
  return { headers: { 'content-type': 'application/ld+json', ...cached }, content };
};

/** A picture of an achievement. */
export const serveAchievementPicture: OriginHandler = (_, { params }) => {
  const name = pictureNames.find((each) => each === params['picture']);
  if (!name) throw new Refusal('achievement_not_found');
  const content = readPicture(readKey(params), name);
  return name === 'badge.svg'
    ? { headers: { ...buildHeaders('image/svg+xml') }, content: content.toString() }
    : { headers: buildHeaders('image/png'), content };
};

/** The card of a credential whose content is not shown. */
export const servePlainCard: OriginHandler = () => ({
  headers: buildHeaders('image/png'),
  content: readPlainCard(),
});

/** Pages of any site may show the pictures. */
function buildHeaders(type: string) {
  return { 'content-type': type, ...cached, 'cross-origin-resource-policy': 'cross-origin' };
}

/** @throws Refusal `route_not_found` for a type or a tier that does not exist, or a type that is not issued in the tier. */
function readKey(params: Readonly<Record<string, string>>): AchievementKey {
  const credential_type = credentialTypes.find((each) => each === params['credential_type']);
  const attestation_tier =
    credential_type && allowedTiers[credential_type].find((each) => each === params['attestation_tier']);
  if (!credential_type || !attestation_tier) throw new Refusal('achievement_not_found');
  return { credential_type, attestation_tier };
}
