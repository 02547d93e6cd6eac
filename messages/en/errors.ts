/** Why the server refused a call. The keys are codes that programs may rely on (server/errors/codes.ts). */
export const errors = {
  bug: 'Something went wrong on our side.',
  'foreign-page': 'Only pages of {origin} may change anything here.',
  'image-not-found': 'Image not found.',
  'image-not-yours': 'This image belongs to someone else.',
  'limit-reached': 'Limit reached: {ruleSet} allows {rule}. Try again in {wait}.',
  'not-admin': 'Only admins can do this.',
  'not-superadmin': 'Only superadmins can do this.',
  'shared-account': 'A shared account cannot do this.',
  'signed-out': 'Sign in first.',
  'token-needs-session': 'Tokens cannot do this. Sign in instead.',
  'token-scope': 'This token does not have the scope “{scope}”.',
  'too-large': '{name} is too large: {size}. The limit is {limit}.',
  'too-large-unknown': '{name} is too large. The limit is {limit}.',
  'void-token': 'This token is not valid. It has expired or been revoked.',
} as const
