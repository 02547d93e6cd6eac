import type { LimitRequest } from '#server/limits/charges.ts'
import type { RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'
import type { SubjectKey } from '#server/limits/subject.ts'
import type { Scope, Viewer, ViewerToken } from '../viewer.ts'

/**
 * The limits of a single token. Its owner's limits are charged as well, so that ten tokens may do no more than one. A
 * superadmin's token has none, like its owner.
 */
const tokenRules = {
  /** Lists, details, bytes: enough for a program that backs up an archive at ten files a second, or in zips. */
  read: [
    {
      name: 'token-read',
      by: 'subject',
      rules: [{ limit: 1_200, window: '1m', algorithm: 'token-bucket', burst: 200 }],
    },
  ],
  /** Enough for a camera's memory card in an hour. */
  upload: [
    {
      name: 'token-upload',
      by: 'subject',
      rules: [
        { limit: 20, window: '1s' },
        { limit: 60, window: '1m' },
        { limit: 10_000, window: '1d', algorithm: 'sliding-window-counter', samples: 24 },
      ],
    },
  ],
  /** Changes and deletions, single or in bulk. */
  manage: [
    {
      name: 'token-manage',
      by: 'subject',
      rules: [
        { limit: 120, window: '1m', algorithm: 'token-bucket', burst: 200 },
        { limit: 5_000, window: '1d', algorithm: 'sliding-window-counter', samples: 24 },
      ],
    },
  ],
} as const satisfies Record<Scope, readonly RuleSet[]>

const forTokens = { isAnonymous: false, isForTokens: true } as const

export const tokenRoutes = {
  read: declareRoute({
    ...forTokens,
    label: 'api tokens (read)',
    declared: tokenRules.read,
    scope: 'read',
  }),
  upload: declareRoute({
    ...forTokens,
    label: 'api tokens (upload)',
    declared: tokenRules.upload,
    scope: 'upload',
  }),
  manage: declareRoute({
    ...forTokens,
    label: 'api tokens (manage)',
    declared: tokenRules.manage,
    scope: 'manage',
  }),
} as const

/** Returns the request for `cost` permits from the viewer's token; none without a token, or for that of a superadmin. */
export function tokenRequests(viewer: Viewer | null, scope: Scope | 'any' = 'any', cost = 1): readonly LimitRequest[] {
  if (!viewer?.token || viewer.token.isSuperadmins) return []
  const { label, sets } = tokenRoutes[scope === 'any' ? 'read' : scope]
  return [{ procedure: label, sets, caller: callerByToken(viewer.token), cost }]
}

/** Returns the subject that a token's own limits count by. */
export const callerByToken = ({ id }: ViewerToken): SubjectKey => ({ subjectKey: `token/${id}` })
