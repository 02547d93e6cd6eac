/** Signing in, signing up, and setting up a new site. */
export const signIn = {
  busy: 'The server is handling too many sign-ins. Try again in a few seconds.',
  ended: 'Your session has ended. Sign in again.',
  fault: 'Something went wrong on our side. Try again.',
  inviteInvalidText: 'It has been used, has expired or was revoked. Ask for a new invite.',
  inviteInvalidTitle: 'This invite is no longer valid',
  inviteOnlyText: 'New accounts need an invite. Ask an admin of this site for one.',
  inviteOnlyTitle: 'Sign-up is by invitation',
  invitedText: 'Choose a user name and a password.',
  invitedTitle: 'Create your account',
  setupText:
    'This site has no accounts yet. The first account is the owner’s (a superadmin). No limits apply to it, so keep its password to yourself.',
  setupTitle: 'Set up Sluice',
  signInInstead: 'Sign in instead',
  signOutFailed: 'The server did not end the session. Try again.',
  signUpTitle: 'Create an account',
  tagline: 'Image hosting with limits built in.',
  title: 'Sign in',
  titleSetup: 'Set up',
  titleSignUp: 'Sign up',
  tooMany: 'Too many attempts. Wait a moment, then sign in again.',
  wrong: 'Wrong user name or password. If you forgot your password, ask an admin for a new one.',
} as const
