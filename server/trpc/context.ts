import { bearerTokenOf } from '#server/accounts/tokens/api-token.ts'
import { callerOf, type Viewer } from '#server/accounts/viewer.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { AnyRuleSet } from '#server/limits/rule-set.ts'
import type { Caller } from '#server/limits/subject.ts'
import type { Services } from '#server/services.ts'

/** What a procedure knows of its request, which may be one of several calls. */
export interface Context {
  readonly app: Services
  readonly viewer: Viewer | null
  readonly caller: Caller
  readonly requestId: string
  /** True for a request with a token that is nobody's: a guest's, who is to be told so. */
  readonly hasVoidToken: boolean
  /** Why its token was not looked up: every call is refused for that. Null for all other requests. */
  readonly tokenRefusal: Decision | null
  /** True when a browser says that another site's page sent the request. */
  readonly foreignOrigin: boolean
  header(name: string): string | undefined
  /** Lets the body come: until then nothing of an octet stream is read. */
  acceptBody(): void
  /** Whether its session or token lives still, for what comes behind the head; null where all has come with it. */
  readonly isStillIn: (() => Promise<boolean>) | null
  /** True where more is said of an upload behind its file: its image is stored without a wish, and concluded by the caller. */
  readonly isSaidLater: boolean
  /** Aborted when the server drains: what has no end of its own ends then. Null where nothing drains. */
  readonly draining: AbortSignal | null
  /** Every decision of this request, for its RateLimit headers. */
  readonly decisions: Decision[]
}

/** What a procedure knows of its call, which has been charged. */
export interface CallContext extends Context {
  /** The policy for whose lack of permits the call is to answer less; null when nothing lacks. */
  readonly degraded: string | null
  /** Takes from further rule sets in the middle of a procedure. Throws TOO_MANY_REQUESTS when refused, and the call has taken
   *  nothing then. */
  charge(ruleSets: readonly AnyRuleSet[]): Promise<Decision>
  /** Takes as many permits of further rule sets as they have, `most` at most, where a call of many does what it may; answers
   *  how many. */
  chargeUpTo(ruleSets: readonly AnyRuleSet[], most: number): Promise<number>
  /** Tells how many bytes the call has moved, where it is charged for those that its body declared. */
  settle(bytes: number): Promise<void>
}

export interface RequestFacts {
  readonly viewer: Viewer | null
  /** Of `identify`, where a token may come. */
  readonly tokenRefusal?: Decision | null
  /** The client's address, normalised by server/http/client-address.ts. */
  readonly address: string
  readonly requestId: string
  readonly foreignOrigin: boolean
  header(name: string): string | undefined
  /** Given where a body waits to be accepted. */
  acceptBody?(): void
  /** Given where the input is not there yet. */
  readonly isStillIn?: (() => Promise<boolean>) | null
  readonly isSaidLater?: boolean
  readonly draining?: AbortSignal | undefined
}

export function createContext(app: Services, facts: RequestFacts): Context {
  const { tokenRefusal = null } = facts
  return {
    app,
    viewer: facts.viewer,
    caller: callerOf(facts.viewer, facts.address),
    requestId: facts.requestId,
    hasVoidToken: facts.viewer === null && bearerTokenOf(facts.header('authorization')) !== null,
    tokenRefusal,
    foreignOrigin: facts.foreignOrigin,
    header: facts.header,
    acceptBody: () => facts.acceptBody?.(),
    isStillIn: facts.isStillIn ?? null,
    isSaidLater: facts.isSaidLater ?? false,
    draining: facts.draining ?? null,
    decisions: tokenRefusal ? [tokenRefusal] : [],
  }
}

/** Why there is no context: what its making needs failed. The error formatter finds the request's id here. */
export class NoContext extends Error {
  override name = 'NoContext'
  readonly requestId: string

  constructor(requestId: string, cause: unknown) {
    super('The context could not be made', { cause })
    this.requestId = requestId
  }
}
