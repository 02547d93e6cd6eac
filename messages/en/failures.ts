/** What pages say of a failed call, beside the server's own errors. */
export const failures = {
  changed: 'Changed in the meantime: {now}. Save again to replace it.',
  limitReached: 'Limit reached',
  limitSpoken: 'Limit reached: {ruleSet}, {rule}. Try again in {wait}.',
  limitSpokenResuming: 'Limit reached: {ruleSet}, {rule}. Resuming in {wait}.',
  offline: 'The server cannot be reached. Check your connection and try again.',
  ready: 'You can try again now.',
  report: '{sentence} If this keeps happening, give the site’s owner this request ID: {requestId}.',
  resuming: 'Resuming…',
  resumingIn: 'Resuming in {wait}',
  rule: '{ruleSet}: {rule}',
  signIn: 'Sign in',
  signedOut: 'You are signed out. <link>Sign in in another tab</link>, then try again.',
  tooMany: 'too many requests',
  tryAgain: 'Try again',
  tryAgainIn: 'Try again in {wait}',
  unknown: 'Something went wrong. Try again.',
} as const
