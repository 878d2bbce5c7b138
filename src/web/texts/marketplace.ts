/** Transactions of the marketplace, as both sides see them. */
export const marketplaceTexts = {
  marketplace: {
    agreed: (agreed: string, paid: string) => `${agreed} (${paid})`,
  },
} as const;
