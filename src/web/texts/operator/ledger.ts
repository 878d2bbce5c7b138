const tampered =
  'Find out who had the role of the owner of the database, and restore the backup from before.';

/** The operator's page of the books. */
export const operatorLedgerTexts = {
  operatorLedger: {
    title: 'The books',
    lead: 'What organisations paid, what belongs to members, and what is on its way. No member is named here.',
    balanced: (time: string) => `The books are right. They were checked on ${time}.`,
    wrong: (formatted: string, count: number, time: string) =>
      `${count === 1 ? '1 fault was' : `${formatted} faults were`} found on ${time}.`,
    stopPayouts:
      'First stop payouts: unset TESSERA_EVM_PAYOUT_KEY and start the workers again. Income is kept meanwhile.',
    faultsTitle: 'What is wrong, and what to do',
    faults: {
      trial_balance: { meaning: 'The accounts do not sum to zero.', advice: tampered },
      journal_unbalanced: { meaning: 'A journal does not sum to zero.', advice: tampered },
      journal_empty: { meaning: 'A journal has lost its postings.', advice: tampered },
      share_wrong: { meaning: 'A member has another share than the journal says.', advice: tampered },
      checkpoint_wrong: {
        meaning: 'A stored sum of postings differs from the postings.',
        advice:
          'Delete its row in ledger_checkpoints: balances are then added up from all postings. Find out who had the owner’s role.',
      },
      read_without_journal: { meaning: 'A paid read has no journal.', advice: tampered },
      journal_without_read: { meaning: 'A journal has no read.', advice: tampered },
      read_amount_wrong: { meaning: 'A read and its journal have different amounts.', advice: tampered },
      payment_without_read: { meaning: 'A recorded payment has no read.', advice: tampered },
      payment_without_refund: {
        meaning: 'A refused payment is not owed back to its payer.',
        advice: tampered,
      },
      payout_wrong: {
        meaning: 'A payout and its journals differ.',
        advice: 'Compare its transaction with the chain before you pay anything.',
      },
      payout_stuck: {
        meaning: 'A payout has been in progress for more than a day.',
        advice:
          'Look at its transaction. Without one, the wallet lacks the token or coins for fees, no worker has the key, or the token refuses the address: then run “ledger return”. One that is not mined may have too low a fee, or its nonce was used.',
      },
      cash_missing: {
        meaning: 'The wallet has less than the books.',
        advice:
          'A restored backup may lack payouts, money may have been moved out of the wallet, or the chain has dropped a block. In the last case, take the read back with “ledger reverse”.',
      },
      charge_wrong: {
        meaning: 'A payment from a prepaid balance and what was taken from it differ.',
        advice: 'Find out who had the owner’s role of the database. Restore the backup from before.',
      },
      balance_wrong: {
        meaning: 'A prepaid balance differs from its postings or its statement.',
        advice: 'Find out who had the owner’s role of the database. Restore the backup from before.',
      },
      balance_in_use_wrong: {
        meaning: 'Money left prepaid balances, and no read, refund or payment has it.',
        advice: 'Find out who had the owner’s role of the database. Restore the backup from before.',
      },
    },
    toTopUps: 'Record money for prepaid balances',
    balanceTitle: 'Trial balance',
    balanceLead:
      'What the service has is positive, what it earned or owes is negative. All accounts sum to zero.',
    account: 'Account',
    balance: 'Balance',
    accounts: {
      cash_mock: 'Cash of the trial rail',
      cash_chain: 'Cash on the chain',
      cash_bank: 'Cash received for prepaid balances',
      platform_income: 'Earned by the platform',
      member_income: 'Owed to members',
      payouts_in_progress: 'On its way',
      owed_to_payers: 'Owed to payers',
      prepaid_balance: 'Prepaid by organisations',
      balance_in_use: 'Paid from balances, not read yet',
    },
    cash: (books: string, chain: string, sent: string) =>
      `The books have ${books} on the chain, and the wallet has ${chain}. Being sent: ${sent}.`,
    chainBehind:
      'The cash was not compared with the chain: the newest block of the node is older than the books. The node is behind, or the chain has stopped.',
    noCash: 'The cash was not compared with a chain: none is configured, or it did not answer.',
    unresolvedTitle: 'Payments without an outcome',
    unresolvedEmpty: 'There are none.',
    unresolvedLead:
      'Tasks resolve them within minutes. One that stays for hours needs you: its node, its facilitator, or the queue does not work.',
    states: {
      claimed: {
        meaning: 'accepted, and not sent',
        advice: 'Nothing was paid. The task compares it with the chain and gives it up when it has expired.',
      },
      settling: {
        meaning: 'being settled',
        advice: 'Wait. If it stays, look at the node of the chain or the facilitator.',
      },
      unknown: {
        meaning: 'perhaps paid',
        advice: 'Look for the transaction on the chain. The task reads it as soon as the node answers.',
      },
      settled: {
        meaning: 'paid, and not read yet',
        advice:
          'The task makes the read or the refund. If it stays, look at the queue for reads.finishReads.',
      },
    },
    presented: (time: string, rail: string) => `Presented on ${time} by ${rail}.`,
    organisation: 'The organisation that pays',
    payoutsTitle: 'Payouts in progress',
    payoutsEmpty: 'There are none.',
    payoutsLead: 'A payout takes minutes. After a day the check reports it.',
    payout: (amount: string, kind: string) => `${amount}, ${kind}`,
    kinds: { income: 'income of a member', refund: 'refund to a payer' },
    payoutStates: {
      requested: 'It waits for a worker that has the key.',
      sending: 'It is signed, and waits for the chain.',
    },
  },
  topUps: {
    title: 'Money for prepaid balances',
    lead: 'Organisations pay in advance by a transfer or an invoice. Record here what has arrived in your bank account.',
    waiting: 'Announced, and not recorded yet',
    none: 'No organisation has announced money.',
    announcedOn: (time: string) => `announced on ${time}`,
    recordTitle: 'Record what has arrived',
    recordLead:
      'The balance grows at once, and the administrators get an email. A reference is recorded once.',
    reference: 'Reference',
    referenceHint: 'The one on the transfer, or the number of your invoice if nobody announced it.',
    amount: 'Amount in US dollars that has arrived',
    organisation: 'Id of the organisation',
    organisationHint: 'Only for money that nobody announced.',
    record: 'Record the money',
  },
} as const;
