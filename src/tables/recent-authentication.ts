import type { Operation } from '#platform/operation.ts';

type Listed = Readonly<Record<string, readonly string[]>>;

/**
 * TABLE 12: which operations need an authentication within the last 15 minutes. They decide who can log in, what leaves in bulk, or what cannot be
 * taken back, and a stolen access token must not be enough for that. The other two lists have, with the reason, every other operation
 * that writes or sends a file for a caller who is logged in; `recent-authentication.test.ts` compares them with TABLE 1.
 */
export const needsRecentAuthentication: Listed = {
  'How the account logs in': [
    'accounts.setUpMfa',
    'accounts.verifyMfa',
    'accounts.disableMfa',
    'accounts.addPasskey',
    'accounts.removePasskey',
    'accounts.changePassword',
    'accounts.changeEmail',
  ],
  'Who else is logged in: a thief would end the sessions of the owner': ['accounts.endSession'],
  'Who can log in for the organisation': [
    'sso.configureSso',
    'sso.configureOpenid',
    'sso.verifyDomain',
    'orgUsers.inviteUser',
    'orgUsers.changeUserRole',
    'directories.setGroupRole',
  ],
  'What programs may do for the organisation': [
    'serviceKeys.createServiceKey',
    'serviceKeys.registerPublicKey',
    'serviceKeys.replacePublicKey',
    'serviceKeys.rotateServiceKey',
    'serviceKeys.revokeServiceKey',
  ],
  'What programs may do for the operator': [
    'serviceKeys.createOperatorKey',
    'serviceKeys.registerOperatorPublicKey',
    'serviceKeys.replaceOperatorPublicKey',
    'serviceKeys.rotateOperatorKey',
    'serviceKeys.revokeOperatorKey',
  ],
  'Where data is sent, and by what secret the receiver knows it': [
    'webhooks.createSubscription',
    'webhooks.updateSubscription',
    'webhooks.deleteSubscription',
    'webhooks.rotateSecret',
    'partners.setConnection',
    'partners.deleteConnection',
  ],
  'All data of a person or an organisation leaves in one file': [
    'rights.readDataExport',
    'rights.exportMemberData',
    'exports.exportMatches',
  ],
  'A credential is bound to the key of a wallet, which may be that of a thief': ['wallets.createOffer'],
  'Money is created in the books': ['books.recordTopUp'],
  'Money leaves': ['books.requestPayout', 'agents.setSpendCap'],
  'The account ends, or all that it allowed': ['rights.deleteAccount', 'rights.withdrawAllConsent'],
  'What the operator decides': [
    'operator.suspendAccount',
    'operator.resumeAccount',
    'operator.resetAccountMfa',
    'operator.assignTier',
    'operator.suspendOrganisation',
    'operator.resumeOrganisation',
    'operator.attestDomain',
    'operator.retryFailures',
    'operator.retryFailure',
    'operator.startWork',
    'operator.rotateKeys',
    'operator.revokeKey',
    'learning.rollBackFitPolicy',
    'learning.promoteFitPolicy',
    'traits.startCalibration',
    'traits.activateCalibration',
    'traits.useBankVersion',
    'traits.decideItemFinding',
    'traits.undoItemDecision',
    'matches.startRecomputation',
  ],
};

/** Operations that ask for it themselves, by `requireRecentAuthentication`, because it depends on their input. */
export const mayNeedRecentAuthentication: Listed = {
  'For removing a user; cancelling an invitation lets nobody in and nobody out': ['orgUsers.removeUser'],
  'For tools that spend or harm, and for a limit of spending': ['agents.finishConsent'],
};

/** Operations that do without, although they write or send a file. */
export const needsNoRecentAuthentication: Listed = {
  'It is the authentication': ['accounts.reauthenticateUser'],
  'It changes a name that is shown': [
    'accounts.updateMe',
    'accounts.renamePasskey',
    'orgs.updateOrganisation',
  ],
  'It hands over events one by one, which the caller can read row by row anyway': [
    'webhooks.openStream',
    'webhooks.fetchDeliveries',
    'webhooks.reportDeliveries',
  ],
  'It emails an address that was decided before': [
    'accounts.resendVerification',
    'orgUsers.resendInvitation',
    'candidates.resendCandidateInvitation',
    'webhooks.sendTest',
    'webhooks.recoverDeliveries',
    'webhooks.replayDelivery',
  ],
  'It takes away what an agent may do, and gives nothing': [
    'agents.revokeGrants',
    'agents.revokeGrant',
    'agents.removeGrantTool',
  ],
  'It prepares a file that only `rights.readDataExport` hands out': ['rights.startDataExport'],
  'The file is about one event that the caller can read anyway': [
    'exports.exportMatchReport',
    'books.exportPayoutReceipt',
    'reads.exportMemberReceipt',
    'reads.exportOrganisationReceipt',
    'credentials.readDataIntegrity',
    'credentials.readOpenBadge',
  ],
  'The file is what an organisation publishes about its job': ['jobs.exportPosting'],
  'The file names nobody': ['exports.exportBiasReport', 'books.exportStatement'],
  'One choice of a member about their own data, which is logged, shown, and as easy to take back': [
    'consent.recordConsent',
    'consent.setQueryCategory',
    'selfIdentification.setSelfIdentification',
    'members.updateProfile',
    'matches.setPreferences',
    'credentials.issueCredential',
    'credentials.revokeCredential',
    'credentials.setVisibility',
  ],
  'It reads about one member, within what the member allows, at a price': [
    'reads.createRead',
    'reads.createMarketplaceRead',
  ],
  'Only the holder of the wallet can sign for it; the service pays nothing to it': [
    'payments.createChallenge',
    'payments.bindWallet',
    'payments.unbindWallet',
  ],
  'The daily work of a member': [
    'traits.startAssessment',
    'traits.addMirror',
    'traits.answerItem',
    'traits.undoAnswer',
    'matches.respondToMatch',
    'reviews.requestReview',
    'reviews.withdrawReview',
    'placements.giveFeedback',
    'offers.answerOffer',
    'candidates.answerMemberInvitation',
    'notifications.setMemberSettings',
  ],
  'No money moves: it announces a transfer, or sets who is warned': [
    'books.announceTopUp',
    'books.setBalanceWarning',
  ],
  'The daily work of an organisation': [
    'jobs.createJob',
    'jobs.updateJob',
    'jobs.closeJob',
    'jobs.setFollowing',
    'jobs.recordVisit',
    'matches.recomputeMatches',
    'sandbox.advanceClock',
    'sandbox.startYear',
    'sandbox.cancelYear',
    'matches.computeMatches',
    'matches.setMatchStatus',
    'matches.decideMatches',
    'matches.undoDecision',
    'matches.setPrivateNote',
    'matches.setReference',
    'matches.saveView',
    'matches.deleteView',
    'matches.estimateReach',
    'impact.previewImpact',
    'impact.previewReach',
    'jobs.importJobs',
    'jobs.importFromAddress',
    'jobs.importTable',
    'jobs.followBoard',
    'jobs.updateBoard',
    'jobs.unfollowBoard',
    'jobs.readBoardNow',
    'jobs.dismissBoardChanges',
    'placements.recordOutcome',
    'placements.correctPlacement',
    'reads.declineProposal',
    'reviews.answerReview',
    'culture.answerQuestionnaire',
    'culture.saveDraft',
    'culture.deleteDraft',
    'culture.declareProfile',
    'achievements.createAchievement',
    'achievements.updateAchievement',
    'candidates.inviteCandidate',
    'candidates.cancelCandidateInvitation',
    'offers.offerCredential',
    'offers.importAttestations',
    'offers.revokeAttestation',
    'notifications.setUserSettings',
  ],
};

const needing = new Set(Object.values(needsRecentAuthentication).flat());

/** Whether every call of an operation needs a recent authentication. */
export function isGuardedByAge({ name }: Pick<Operation, 'name'>): boolean {
  return needing.has(name);
}
