/** What the site's mails say. */
export const mail = {
  whyAccount: 'You get this mail because this is the address of your account at {site}.',
  whyEntered: 'You get this mail because this address was entered for the account “{username}” at {site}.',
  whyFormer: 'You get this mail because this was the address of the account “{username}” at {site}.',
  whyInvited: 'You get this mail because an admin of {site} entered this address.',
  whyTest: 'You get this mail because a superadmin of {site} is setting up its mail.',
  time: 'Time',
  utc: '{time} UTC',
  address: 'IP address',
  browser: 'Browser',
  program: 'Another program',
  openAccount: 'Open your account',
  reset: {
    title: 'Set a new password',
    text: 'Somebody has asked for a new password for your account “{username}”.',
    link: 'Set password',
    until: 'The link works once, for 30 minutes. A new password signs out all devices.',
    ignore: 'If it was not you, ignore this mail: your password stays as it is.',
  },
  confirm: {
    title: 'Confirm your address',
    text: 'The account “{username}” at {site} asks for its mail to be sent to this address.',
    link: 'Confirm address',
    until: 'The link works once, for a day.',
    ignore: 'If this is not your account, ignore this mail: nothing more is sent to you.',
  },
  moved: {
    title: 'Address removed from your account',
    text: 'The account “{username}” no longer gets its mail at this address.',
    check:
      'If it was not you, somebody else has used your account. Ask a superadmin of the site for a link that sets a new password.',
  },
  invite: {
    title: 'You are invited to {site}',
    text: 'An admin of {site} invites you to create an account.',
    link: 'Create account',
    until: 'The invite is valid until {date} UTC.',
  },
  device: {
    title: 'New sign-in to your account',
    text: 'A browser that your account “{username}” did not know has signed in.',
    check: 'If it was you, there is nothing to do. If not, change your password: this signs out all other devices.',
  },
  noteCheck:
    'If it was you, there is nothing to do. If not, change your password, or have a new one sent to you from the sign-in page.',
  note: {
    password: { title: 'Your password has changed', text: 'Your account “{username}” has a new password.' },
    'app-set': {
      title: 'Authenticator app set up',
      text: 'An authenticator app has been set up for your account “{username}”.',
    },
    'app-removed': {
      title: 'Authenticator app removed',
      text: 'The authenticator app of your account “{username}” has been removed.',
    },
    'factors-ended': {
      title: 'Second factors ended',
      text: 'The second factors of your account {username} have been reset. The password alone signs in.',
    },
    'recovery-codes': {
      title: 'New recovery codes',
      text: 'Your account “{username}” has new recovery codes. Those before are void.',
    },
    'recovery-code-used': {
      title: 'Recovery code used',
      text: 'A recovery code has been used to sign in to your account “{username}”.',
    },
    'passkey-added': { title: 'Passkey added', text: 'A passkey has been added to your account “{username}”.' },
    'passkey-removed': { title: 'Passkey removed', text: 'A passkey of your account “{username}” has been removed.' },
    'provider-linked': {
      title: 'Sign-in provider linked',
      text: 'Your account “{username}” has been linked to an account at a sign-in provider.',
    },
    'provider-unlinked': {
      title: 'Sign-in provider unlinked',
      text: 'Your account “{username}” is no longer linked to an account at a sign-in provider.',
    },
  },
  budget: {
    near: { title: 'Budget nearly spent', text: '{budget}: {share} of the budget is used.' },
    spent: {
      title: 'Budget spent',
      text: '{budget}: the budget is used up. What would cost more is refused until it resets or you raise it.',
    },
    link: 'Open spending',
  },
  share: {
    near: { title: 'A share is near its limit', text: 'Your share “{name}” has used {share} of {limit}.' },
    spent: {
      title: 'A share has reached its limit',
      text: 'Your share “{name}” has reached its limit of {limit}. Its visitors are refused until there is room again.',
    },
    limit: {
      requestsPerHour: '{amount} requests an hour',
      requestsPerDay: '{amount} requests a day',
      bytesPerDay: '{amount} a day',
    },
    unnamed: 'without a title',
    link: 'Open shares',
    off: 'To get no mails about shares, switch them off in your account: {url}',
  },
  test: { title: 'Mail works', text: 'The mail settings of {site} work.' },
} as const
