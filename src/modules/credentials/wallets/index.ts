export { createOffer } from './create-offer.ts';
export { forgetOffers } from './forget-offers.ts';
export {
  issueCredential,
  issueNonce,
  issueToken,
  protocolOptions,
  serveIssuerMetadata,
  serveOffer,
  serveServerMetadata,
} from './openid4vci.ts';
export { personalData } from './personal-data.ts';
