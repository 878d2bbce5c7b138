/** The text around the pages: frame, forms, notices and problems. */
export const frameTexts = {
  frame: {
    service: 'Tessera',
    skip: 'Skip to the content',
    navigation: 'Main',
    footer: 'About this service',
    api: 'API reference',
    home: 'Home',
    assessment: 'Assessment',
    traits: 'Traits',
    matches: 'Matches',
    jobs: 'Jobs',
    account: 'Account',
    logIn: 'Log in',
    logOut: 'Log out',
    errorTitle: 'Error',
  },
  /** What the script of passkeys says. */
  passkeyForms: {
    cancelled: 'No passkey was used. Try again, or choose another way.',
    known: 'This device or password manager already has a passkey for your account.',
    unsupported: 'This browser does not know passkeys.',
  },
  forms: {
    expired: 'This form had expired. Check it and send it again.',
    optional: 'optional',
    problem: 'Something needs your attention.',
    cancel: 'Cancel',
  },
  /** Shown once, after a form has done its work. */
  notices: {
    nameChanged: 'Your name is changed.',
    passwordChanged: 'Your password is changed. All other devices are logged out.',
    emailSent: 'Open the link in the email that we have just sent you.',
    verificationSent: 'A new link is on its way to you.',
    notificationsChanged: 'Your choice is saved.',
    mfaDisabled: 'MFA is off.',
    passkeyAdded: 'Your passkey is ready. You can log in with it from now on.',
    passkeyRenamed: 'The name is changed.',
    passkeyRemoved: 'The passkey is removed. If your device still offers it, delete it there as well.',
    deviceLoggedOut: 'That device is logged out.',
    demoLinkUsed:
      'Links of the demonstration work once. Log in with the address and the password in the terminal.',
    loggedOut: 'You are logged out.',
    passwordReset: 'Your new password is set. Log in with it.',
    emailVerified: 'Your email address is verified.',
    deletionCancelled: 'Your account stays. Log in as before.',
    deletionRequested: 'Your account is closed and will be erased. An email tells you how to undo this.',
    consentGiven: 'Thank you. Your consent is recorded, and you can withdraw it at any time.',
    profileSaved: 'Your profile is saved.',
    alreadyAnswered: 'That statement was already answered. Here is the next one.',
    responseSaved: 'Your answer is sent.',
    statusSaved: 'Your decision is saved.',
  },
  problems: {
    notFound: {
      title: 'This page does not exist',
      advice: 'The address may be mistyped, or what it showed is gone or belongs to another account.',
    },
    forbidden: {
      title: 'This page is not for your account',
      advice: 'Log in with another account, or go back to your own pages.',
    },
    limited: {
      title: 'That was a little fast',
      advice: 'You have sent many requests in a short time. Nothing is lost: wait a moment, then try again.',
    },
    unavailable: {
      title: 'We are back in a moment',
      advice: 'The service is restarting or very busy. What you had saved is safe.',
    },
    failed: {
      title: 'Something broke on our side',
      advice: 'It is not your fault. Try again, and if it stays broken, give the operator this number:',
    },
    refused: { title: 'That did not work', advice: 'Go back and try again.' },
    wait: (seconds: number) => `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    again: 'Try again',
    home: 'Go to the first page',
  },
} as const;
