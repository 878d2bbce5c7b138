export { addStubObservations } from './add-stub-observations.ts';
export { claimIdentity } from './claim-identity.ts';
export { createStub } from './create-stub.ts';
export { deleteStub } from './delete-stub.ts';
export { forgetStubs } from './forget-stubs.ts';
export { personalData } from './personal-data.ts';
export { readStub } from './read-stub.ts';
