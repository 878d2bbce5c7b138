// What members answer.
export { answerOffer } from './answering/answer-offer.ts';
export { listOffers } from './answering/list-offers.ts';

// What organisations attest.
export { importAttestations } from './attesting/import-attestations.ts';
export { listAttestations } from './attesting/list-attestations.ts';
export { offerCredential } from './attesting/offer-credential.ts';
export { revokeAttestation } from './attesting/revoke-attestation.ts';

// What is offered by itself.
export { followPlacement } from './earning/follow-placement.ts';
export { forgetOffers } from './earning/forget-offers.ts';
export { offerAssessment } from './earning/offer-assessment.ts';
export { openOffers } from './earning/open-offers.ts';
export { withdrawAssessmentOffers, withdrawMatchOffers } from './earning/withdraw-offers.ts';

// Events and personal data.
export * from './events.ts';
export { hasOpenOffer } from './has-open-offer.ts';
export { countOffers, findMemberOffer } from './store.ts';
export { personalData } from './personal-data.ts';
