export {
  serveDerive,
  serveIssue,
  serveProve,
  serveVerifyCredential,
  serveVerifyPresentation,
} from './vc-api.ts';
