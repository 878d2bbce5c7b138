/** The functions whose statements read or write a distributed table on all nodes, each with the reason why it has no key. None locks rows. */
export const unkeyed = {
  'src/modules/income/reads/store.ts deleteOldFreeReads': 'A task deletes the old ones of all members.',
  'src/modules/income/payments/store.ts findPaymentOfRead':
    'A repeated request has the transaction or the nonce of its payment, and not its id.',
  'src/modules/income/books/journals/store.ts countPostings':
    'A task counts all postings, but no more than 20,001 of each shard.',
  'src/modules/income/payments/store.ts listOpenPayments': 'A task compares all payments with the chain.',
  'src/modules/income/payments/store.ts countOverduePayments':
    'The operator learns of unresolved payments: at most a hundred of each shard.',
  'src/modules/income/payments/store.ts listUnfinishedPayments':
    'The operator reads the unresolved payments.',
  'src/modules/income/payments/store.ts listPaymentsAbout': 'An export lists all payments.',
  'src/modules/income/payments/store.ts severMember': 'An erasure severs all payments.',
  'src/modules/matching/learning/store-personal-data.ts exportCandidates':
    'A member exports what was observed of any job.',
  'src/modules/matching/learning/store-personal-data.ts deleteCandidates':
    'An erasure deletes it, of any job.',
  'src/modules/matching/learning/store-observations.ts listMemberTraits':
    'The members are known by id, and the view of their vectors is joined by it.',
  'src/modules/matching/learning/store-observations.ts listUnobserved':
    'A task reads what is new of all placements, page by page.',
  'src/modules/matching/learning/store-observations.ts listObservations':
    'A task learns from all placements.',
  'src/modules/people/self-identification/store.ts listMembersWithAnswers':
    'The fairness gate compares members who self-identified.',
  'src/modules/matching/placements/store.ts listOpenedStages':
    'A task announces all open stages, in batches.',
  'src/modules/income/payments/store.ts listSettledPayments': 'A task finishes reads of all payments.',
  'src/modules/operations/exports/bias/counting/store-people.ts countPeople':
    'One aggregate counts the people of all jobs of an organisation, with what they have said about themselves.',
  'src/modules/operations/exports/bias/counting/store-people.ts countWaiting':
    'It counts the people of all jobs of an organisation who are in no report yet.',
  'src/modules/operations/exports/bias/drivers/store.ts listMeanPriorities':
    'Of all jobs of an organisation.',
  'src/modules/operations/exports/bias/drivers/store.ts listMeanTraits':
    'Of people matched with any job of an organisation.',
  'src/modules/operations/exports/bias/store.ts countReports':
    'Everybody reads how many reports all organisations have published.',
  'src/modules/operations/exports/bias/population/store.ts listCountedMembers': 'A task counts all members.',
  'src/modules/operations/exports/bias/population/store.ts listMeasuredMembers':
    'A task reads the answers of members who self-identified, page by page.',
  'src/modules/matching/impact/snapshot/store.ts listStatedMembers':
    'A task reads the traits of members who self-identified, page by page.',
  'src/modules/matching/impact/snapshot/store.ts listUnstatedMembers':
    'A task reads the traits of the other members, page by page.',
  'src/modules/income/books/journals/store.ts findHolder':
    'The operator takes a journal back by its id alone.',
  'src/modules/income/books/payouts/store.ts findPayoutById':
    'The operator returns a payout by its id alone.',
  'src/modules/income/books/checking/store.ts sumAccounts': 'A check adds up the whole ledger.',
  'src/modules/income/books/checking/store.ts listUnbalancedJournals': 'A check reads the whole ledger.',
  'src/modules/income/books/checking/store.ts listEmptyJournals': 'A check reads the whole ledger.',
  'src/modules/income/books/checking/store.ts listWrongShares': 'A check reads the whole ledger.',
  'src/modules/income/books/checking/store.ts listWrongCharges': 'A check reads all payments from balances.',
  'src/modules/income/books/checking/store.ts listWrongBalances': 'A check reads all balances.',
  'src/modules/income/books/checking/store.ts sumUnreadPayments':
    'A check adds up all payments whose read is being made.',
  'src/modules/income/books/checking/store.ts listWrongPayouts': 'A check reads all payouts.',
  'src/modules/income/books/checking/store.ts listWrongCheckpoints': 'A check reads all checkpoints.',
  'src/modules/income/books/journals/store.ts listHoldersToCheckpoint':
    'A task finds out whose postings have become many.',
  'src/modules/income/books/checking/store.ts listChainTimes': 'A check reads the whole ledger.',
  'src/modules/income/books/checking/store.ts listStuckPayouts': 'A check reads all payouts in progress.',
  'src/modules/income/books/checking/store.ts sumSentOnChain': 'A check adds up all payouts in progress.',
  'src/modules/income/books/checking/store.ts listReadsWithoutJournal': 'A check reads all reads.',
  'src/modules/income/books/checking/store.ts listJournalsWithoutRead': 'A check reads all reads.',
  'src/modules/income/books/checking/store.ts listReadsWithOtherAmounts': 'A check reads all reads.',
  'src/modules/income/books/checking/store.ts listPaymentsWithoutRead': 'A check reads all payments.',
  'src/modules/income/books/checking/store.ts listPaymentsWithoutRefund': 'A check reads all payments.',
  'src/modules/income/books/payouts/store.ts listUnfinished': 'A task ends all payouts, page by page.',
  'src/modules/income/books/earnings/store.ts listOrganisationReads': 'Of all members.',
  'src/modules/income/books/earnings/store.ts findOrganisationRead': 'It may be of any member.',
  'src/modules/income/books/earnings/store.ts countOrganisationReads': 'Of all members.',
  'src/modules/income/books/earnings/store.ts listMonthlySpend': 'Of all members.',
  'src/modules/operations/webhooks/sending/store.ts listOverdue':
    'It looks for deliveries that were left behind.',
  'src/modules/operations/webhooks/streams/store.ts listAbandonedStreams': 'A task deletes by age.',
  'src/modules/operations/webhooks/streams/store.ts pauseFullStreams':
    'A task looks at the few streams of all organisations.',
  'src/modules/operations/webhooks/sending/store.ts deleteOldDeliveries': 'It deletes by age.',
  'src/modules/operations/webhooks/sending/store.ts deleteExpiredSecrets': 'It deletes by age.',
  'src/modules/operations/webhooks/store-personal-data.ts listSentEvents':
    'A member exports what any organisation was sent about them.',
  'src/modules/operations/webhooks/store-personal-data.ts deleteSentEvents':
    'An erasure deletes what any organisation was sent about the member.',
  'src/modules/matching/matches/reach/store.ts replaceCells':
    'A background task counts all deployed members by the conditions that jobs have, every ten minutes at most.',
  'src/modules/income/reads/store-proposals.ts countPending': 'Of all members, with one organisation.',
  'src/modules/income/reads/store-proposals.ts findPayableProposal':
    'An organisation knows the member by an alias.',
  'src/modules/income/reads/store-proposals.ts deleteOldProposals': 'It deletes by age.',
  'src/modules/income/reads/store.ts deleteExpiredQuotes': 'It deletes by age.',
  'src/modules/income/reads/store.ts deleteOldCounts': 'It deletes by age.',
  'src/modules/matching/jobs/store.ts listActiveJobs': 'A computation reads all active jobs, page by page.',
  'src/modules/matching/jobs/store.ts listJobs':
    'An organisation lists its jobs; each shard contributes one page.',
  'src/modules/matching/jobs/store.ts listJobsByReference':
    'An organisation recognises postings among its jobs.',
  'src/modules/matching/jobs/store.ts countJobs': 'An organisation counts its jobs.',
  'src/modules/matching/jobs/store.ts countAllJobs': 'The operator counts all jobs.',
  'src/modules/matching/jobs/versions/store.ts countActiveJobs': 'An organisation adds a job.',
  'src/modules/matching/jobs/versions/store.ts findVersionTime':
    'What an organisation has asked for in a day is limited, over all its jobs.',
  'src/modules/matching/jobs/versions/store.ts countVersions':
    'What an organisation has asked for in a day is judged, over all its jobs.',
  'src/modules/matching/jobs/store.ts hasOutdatedMatches':
    'After a switch to other trait vectors, a process asks until all jobs have been computed.',
  'src/modules/matching/jobs/store.ts listJobIds': 'The operator removes what a demonstration has loaded.',
  'src/modules/credentials/offers/store.ts findOrganisationOffer':
    'An organisation names the offer that it takes back, to whichever member.',
  'src/modules/credentials/offers/store.ts findOfferTime': 'What an organisation offers in a day is limited.',
  'src/modules/credentials/offers/store.ts listDueOffers':
    'A task opens the offers to all members, in batches.',
  'src/modules/credentials/offers/store.ts deleteOldOffers': 'It deletes by age.',
  'src/modules/credentials/credentials/store.ts listUnexpiredKeys':
    'A revoked signing key concerns the credentials of all members; a task pages through them.',
  'src/modules/matching/matches/index/store-changes.ts findChangeSnapshots': 'It asks every node.',
  'src/modules/matching/matches/index/store-changes.ts listChanges': 'It follows the changes of all members.',
  'src/modules/matching/matches/index/store-changes.ts deleteOldChanges': 'It deletes by age.',
  'src/modules/matching/matches/index/store-changes.ts listJobChanges': 'It follows the changes of all jobs.',
  'src/modules/matching/matches/index/store-changes.ts deleteOldJobChanges': 'It deletes by age.',
  'src/modules/matching/matches/index/store-vectors.ts listVectors': 'It reads all members, page by page.',
  'src/modules/matching/matches/store-member-matches.ts listDeployedLists':
    'A task looks for empty lists of all members, page by page; each list is found by the id of its member.',
  'src/modules/matching/reviews/store.ts listOrganisationReviews': 'Of all jobs of an organisation.',
  'src/modules/matching/reviews/store.ts countOrganisationReviews': 'Of all jobs of an organisation.',
  'src/modules/matching/reviews/store.ts listReviewLog': 'Of an organisation, with any job.',
  'src/modules/matching/reviews/store.ts countReviews': 'Of all jobs of an organisation.',
  'src/modules/matching/reviews/store.ts listDueNotices': 'A task reminds of all open requests, in batches.',
  'src/modules/matching/reviews/store.ts listOverdueReviews':
    'The operator reads those of all organisations.',
  'src/modules/matching/reviews/store.ts countOverdueReviews':
    'The operator reads those of all organisations.',
  'src/modules/matching/matches/lists/store.ts listMatches':
    'An organisation lists the matches of all its jobs; each shard contributes one page.',
  'src/modules/matching/matches/lists/store.ts countByStatus':
    'An organisation counts the matches of all its jobs, from stored numbers: at most 36 of each shard.',
  'src/modules/people/members/store.ts countMembers': 'The operator counts all members.',
  'src/modules/people/members/store.ts listMembersByName':
    'The operator searches all members by name; each shard contributes one page from its index.',
  'src/modules/people/members/store.ts countMembersByName': 'The operator searches all members by name.',
  'src/modules/people/members/store-bulk.ts countSyntheticMembers': 'The operator counts loaded members.',
  'src/modules/people/members/store-bulk.ts markSyntheticMembers': 'The operator removes loaded members.',
  'src/modules/measurement/traits/parameters/store.ts listCompleteAnswers':
    'A calibration reads the answers of all members, page by page.',
  'src/modules/measurement/traits/rescoring/store.ts findOtherVersion':
    'Once for each installation, it finds out which version the vectors have.',
  'src/modules/measurement/traits/rescoring/store.ts listMeasuredMembers':
    'A task scores the answers of all members again, page by page.',
  'src/modules/measurement/traits/parameters/store.ts countRespondents': 'The operator counts respondents.',
  'src/modules/measurement/traits/parameters/store.ts countMeasuredMembers':
    'The operator counts all measured members.',
} as const;
