/** Signing in, signing up, and setting up a new site. */
export const signIn = {
  ended: 'Your session has ended. Sign in again.',
  inviteInvalidText: 'It has been used, has expired or was revoked. Ask for a new invite.',
  inviteInvalidTitle: 'This invite is no longer valid',
  inviteOnlyText: 'New accounts need an invite. Ask an admin of this site for one.',
  inviteOnlyTitle: 'Sign-up is by invitation',
  invitedText: 'Choose a user name and a password.',
  invitedTitle: 'Create your account',
  linkBy: 'This link was created by {name}, who cannot see the password that you set.',
  linkByAdmin: 'This link was created by an admin, who cannot see the password that you set.',
  linkInvalidText:
    'It has been used, has expired or was replaced by a newer one. Ask for a new link. If it was used and not by you, tell a superadmin of this site.',
  linkInvalidTitle: 'This link is no longer valid',
  linkText: 'All devices are signed out, and API tokens, deletion links and invites are revoked.',
  linkTitle: 'New password for {username}',
  setupText:
    'This site has no accounts yet. The first account is the owner’s (a superadmin). Its calls are unlimited, so keep its password to yourself.',
  setupTitle: 'Set up Sluice',
  signInInstead: 'Sign in instead',
  signOutFailed: 'The server did not end the session. Try again.',
  signUpTitle: 'Create an account',
  tagline: 'Image hosting with limits built in.',
  title: 'Sign in',
  titlePassword: 'New password',
  titleSetup: 'Set up',
  titleSignUp: 'Sign up',
  tooMany: 'Too many attempts. Wait a moment, then sign in again.',
} as const
