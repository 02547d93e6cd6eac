/** The account page. */
export const account = {
  changePassword: 'Change password',
  clients: 'Upload from programs',
  clientsLead: 'Settings for common upload programs.',
  clientsExample:
    'Here, <code>{placeholder}</code> stands for the token. Create a token to get these settings with the token filled in.',
  currentPassword: 'Current password',
  deletedAccount: 'a deleted account',
  device: '{browser} on {system}',
  endSession: 'End',
  endSessionOf: 'End session on {device}',
  newPassword: 'New password',
  newPasswordHint: 'At least 10 characters.',
  notForShared: 'Not available for shared accounts.',
  password: 'Password',
  passwordChanged: 'Password changed. Your other devices are signed out.',
  passwordLead: 'Changing it signs out your other devices.',
  passwordLinkOpen:
    'A one-time link for a new password, created by {username}, is valid until <date></date>. If you did not ask for it, change your password: that revokes the link.',
  passwordLinks: 'Password links',
  passwordLinkUsed:
    'On <date></date>, the password was set from {address} with a one-time link that {username} created. If that was not you, someone else has had access: change your password and tell a superadmin.',
  repeatPassword: 'Repeat new password',
  role: {
    user: 'User',
    admin: 'Admin',
    superadmin: 'Superadmin (unlimited calls)',
  },
  sessionNotEnded: 'Could not end the session.',
  sessions: 'Sessions',
  sessionsAndPassword: 'Password and sessions',
  sessionsLead: 'Devices that are signed in to your account.',
  sessionsShared:
    'Several people use this account, so it cannot change its password or end sessions. A superadmin of this site can create a link for a new password, which ends all sessions.',
  sharedAccount: 'Shared account',
  signedIn: '{address} · signed in <date></date>',
  signOutEverywhere: 'Sign out everywhere',
  signOutEverywhereTitle: 'Sign out everywhere?',
  signOutEverywhereText:
    'All devices are signed out, including this one. API tokens keep working until you revoke them.',
  signOutEverywhereFailed: 'Could not sign out everywhere.',
  storage: 'Storage',
  storageLead: 'Space used by your images.',
  storageTrash: 'Images in the <link>trash</link> count until they are deleted permanently.',
  theme: 'Theme',
  themeLead: 'Saved on this device.',
  themes: {
    system: 'System',
    light: 'Light',
    dark: 'Dark',
  },
  thisDevice: 'This device',
  tokens: 'API tokens',
  tokensLead: 'Let programs upload, read or manage your images.',
  tokensShared:
    'A token would keep working after the person who created it has left. Use an account of your own to upload from programs.',
  unknownDevice: 'Unknown device',
  usage: 'Usage',
  usageLead: 'Traffic of your account this month.',
  usageSummary:
    '{served, plural, one {# image served} other {# images served}} ({servedSize}), {added, plural, one {# image added} other {# images added}} ({addedSize}).',
} as const
