/** Transactions of the marketplace, as both sides see them. */
export const marketplaceTexts = {
  marketplace: {
    agreed: (agreed: string, paid: string) => `${agreed} (${paid})`,
    statuses: {
      pending: 'pending',
      declined: 'declined',
      withdrawn: 'taken back',
      expired: 'expired',
      completed: 'paid',
      reversed: 'payment taken back',
    },
    until: (time: string) => `Can be paid until ${time}.`,
    earlier: 'Earlier transactions',
  },
  /** The page on which a member proposes a read to the organisation of a match. */
  proposal: {
    link: 'Offer your data to this organisation',
    title: 'Offer a read of your data',
    lead: (organisation: string) => `You offer ${organisation} one read of your data, at your price.`,
    facts: [
      'It is pending until the organisation pays or declines it, for 14 days. You can take it back.',
      'No money moves before it is paid. Three quarters of the price are then yours.',
      'The organisation knows you by the name that it sees in its list of people, and reads labels without a number.',
    ],
    choice: 'What you offer',
    price: 'Price in Australian dollars',
    priceHint: 'Such as 0.40',
    priceWrong: 'must be an amount such as 0.40',
    button: 'Make the offer',
    cancel: 'Back to the match',
  },
  /** What a member has recorded and sold. */
  ownTransactions: {
    link: 'Transactions',
    title: 'Transactions',
    lead: 'What organisations have bought on the marketplace, and what you have offered them.',
    empty: 'There is no transaction yet. To offer your data to an organisation, open one of your matches.',
    row: (what: string, price: string) => `${what} for ${price}`,
    withdraw: 'Take it back',
    withdrawFor: (time: string) => `Take it back: the transaction of ${time}`,
    back: 'Income',
  },
  /** What members have proposed to an organisation. */
  proposedReads: {
    waiting: (count: string, many: number) =>
      many === 1
        ? `${count} transaction waits to be paid or declined`
        : `${count} transactions wait to be paid or declined`,
    title: 'Proposed transactions',
    lead: 'People in your shortlists offer you a read of their data at their price. Three quarters of it are theirs.',
    empty: 'No transaction waits for an answer.',
    row: (person: string, what: string, price: string) => `${person}: ${what} for ${price}`,
    once: 'What you read is shown once, after the payment.',
    pay: 'Pay and read',
    payFor: (person: string) => `Pay and read: ${person}`,
    decline: 'Decline',
    declineFor: (person: string) => `Decline the offer of ${person}`,
    howToPay:
      'The prepaid balance does not pay this. Fill it, or let a program or an agent pay by a wallet: give it these values; the reply says how.',
    request: 'Request',
    back: 'All reads',
  },
} as const;
