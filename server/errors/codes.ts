import type { TRPC_ERROR_CODE_KEY } from '@trpc/server'
import type { errors } from '#messages/en/errors.ts'

/** Every reason for which the server refuses a call. */
export type ErrorCode = keyof typeof errors

export interface Answer {
  readonly code: TRPC_ERROR_CODE_KEY
  /** The answer's `data.reason`, which is public: a name that is here stays. */
  readonly reason?: string
}

/** How each is answered. */
export const answers = {
  bug: { code: 'INTERNAL_SERVER_ERROR' },
  'foreign-page': { code: 'FORBIDDEN' },
  'image-not-found': { code: 'NOT_FOUND' },
  'image-not-yours': { code: 'FORBIDDEN' },
  'limit-reached': { code: 'TOO_MANY_REQUESTS' },
  'not-admin': { code: 'FORBIDDEN' },
  'not-superadmin': { code: 'FORBIDDEN' },
  'shared-account': { code: 'FORBIDDEN' },
  'signed-out': { code: 'UNAUTHORIZED' },
  'token-needs-session': { code: 'FORBIDDEN', reason: 'token-scope' },
  'token-scope': { code: 'FORBIDDEN', reason: 'token-scope' },
  'too-large': { code: 'PAYLOAD_TOO_LARGE', reason: 'too-large' },
  'too-large-unknown': { code: 'PAYLOAD_TOO_LARGE', reason: 'too-large' },
  'void-token': { code: 'UNAUTHORIZED', reason: 'void-token' },
} as const satisfies Record<ErrorCode, Answer>
