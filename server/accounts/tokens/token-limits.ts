import type { LimitRequest } from '#server/limits/charges.ts'
import type { RuleSet } from '#server/limits/rule-set.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { SubjectKey } from '#server/limits/subject.ts'
import type { Scope, Viewer, ViewerToken } from '../viewer.ts'

/**
 * What each token may do by itself, beside what its owner may: both are charged, so that ten tokens have no more than one,
 * and one that leaks is held even where its owner is not.
 */
export const tokenRules = {
  /** Lists, details, bytes: a program that brings home an archive reads ten files a second, or a zip of many at once. */
  read: [
    {
      name: 'token-read',
      by: 'subject',
      rules: [{ limit: 1_200, window: '1m', algorithm: 'token-bucket', burst: 200 }],
    },
  ],
  /** A camera's card in an hour. */
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
  /** Changes and deletions, one by one or many in a call. */
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

/** The same, as they are charged. */
const tokenLimits: Readonly<Record<Scope, readonly CompiledRuleSet[]>> = {
  read: compileRuleSets('api tokens', tokenRules.read),
  upload: compileRuleSets('api tokens', tokenRules.upload),
  manage: compileRuleSets('api tokens', tokenRules.manage),
}

/** What a call takes of the token that it comes with, `cost` permits; nothing without one. */
export function tokenRequests(viewer: Viewer | null, scope: Scope | 'any' = 'any', cost = 1): readonly LimitRequest[] {
  if (!viewer?.token) return []
  const sets = tokenLimits[scope === 'any' ? 'read' : scope]
  return [{ sets, caller: callerByToken(viewer.token), cost }]
}

/** Whom a token's own limits count. */
export const callerByToken = ({ id }: ViewerToken): SubjectKey => ({ subjectKey: `token/${id}` })
