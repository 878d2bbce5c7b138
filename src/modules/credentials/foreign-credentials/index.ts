export { verifyAnyCredential, type AnyVerification } from './verify-any-credential.ts';
export { verifyCredentialText } from './verify-credential-text.ts';
export { credential_characters_max } from './reading/read-text.ts';
