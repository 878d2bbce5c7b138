/** The pages of volunteers, who answer for science without an account. */
export const volunteerTexts = {
  science: {
    title: 'Take it for science',
    lead: (items: string, minutes: string) =>
      `Answer ${items} short statements, in about ${minutes} minutes, and read your own result at the end. Your answers show how well each statement measures.`,
    again:
      'Welcome back. This is your second test: answer as you see yourself today, not as you did last time.',
    consentTitle: 'What you agree to',
    agree: 'I agree: begin',
    testTitle: 'A test for science',
    place: (number: string, most: string) => `${number} of ${most}`,
    pause: 'This address brings you back here within a day. It is the only way to your answers.',
    stop: 'Pause, or delete your answers',
    doneTitle: 'Thank you. This is your result.',
    alsoClear: 'Also clear',
    nothingClear: 'Thank you. Nothing is clear after these answers, and that is usual.',
    open: 'Each trait can still be on either side of the middle.',
    keepTitle: 'Keep this address',
    keep: 'Save this page as a bookmark. Its address is the only way back to your result, and to delete your answers. We cannot send it to you.',
    inviteTitle: 'A second test in four weeks',
    inviteLead:
      'Results are worth as much as they are stable. If you leave an email address, you get one invitation in four weeks. The address is stored encrypted after you have confirmed it, and deleted when the invitation is sent.',
    email: 'Email address',
    invite: 'Send me the link that confirms it',
    invited: 'You get one invitation to a second test. The link in the email that you confirmed ends it.',
    deleteTitle: 'Delete my answers',
    deleteLead:
      'All answers of this test are deleted at once, with those of your other test and your address. This cannot be undone.',
    delete: 'Delete my answers',
    retestTitle: 'Your second test',
    retestLead: 'You can have one invitation to a second test in four weeks, or none.',
    retestWant: 'Invite me in four weeks',
    retestEnd: 'No invitation: delete my address',
    goneTitle: 'Nothing is stored any more',
    goneLead: 'Your answers and your address are deleted. Thank you for having answered.',
    retestMissing: 'This link is incomplete. Open it from the email again.',
  },
} as const;
