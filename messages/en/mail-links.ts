/** Pages that mails lead to, and the one that has a link for a new password mailed. */
export const mailLinks = {
  confirm: 'Confirm address',
  confirmText: 'Mail for the account “{username}” will be sent to {email}.',
  confirmTitle: 'Confirm your address',
  confirmed: 'Address confirmed',
  confirmedText: 'Mail for your account is sent to it from now on. You can change it on your account page.',
  linkInvalidText:
    'It has been used, has expired or was replaced by a newer one. Enter your address again on your account page.',
  lead: 'Enter your user name or your e-mail address. If the account has a confirmed address, a link that sets a new password is sent to it.',
  login: 'User name or e-mail address',
  send: 'Send link',
  sentText:
    'If there is such an account and it has a confirmed address, a link is on its way to it. It can take some minutes. Without a confirmed address, ask an admin of this site for a link.',
  sentTitle: 'Check your e-mail',
  title: 'Forgot password',
  openAccount: 'Open your account',
  signIn: 'Sign in',
} as const
