export { verifyAnyCredential, type AnyVerification } from './verify-any-credential.ts';
export { verifyCredentialText } from './verify-credential-text.ts';
