export { addStubObservations } from './add-stub-observations.ts';
export { claimIdentity } from './claim-identity.ts';
export { createStub } from './create-stub.ts';
export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { readStub } from './read-stub.ts';
