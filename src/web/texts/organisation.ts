/** The pages of an organisation's users. */
export const organisationTexts = {
  organisationHome: {
    title: 'Home',
    operator: 'This service',
    loggedInAs: (name: string) => `You are logged in as ${name}.`,
  },
} as const;
