import { DEFAULT_LOCALE, type Locale } from '#format/locale.ts'
import { readBearerToken } from '#server/accounts/tokens/api-token.ts'
import { toCaller, type Viewer } from '#server/accounts/viewer.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { Decision, RuleReport } from '#server/limits/decision.ts'
import type { DeclaredRoute } from '#server/limits/rules/declared-route.ts'
import type { Caller } from '#server/limits/subject.ts'
import type { Services } from '#server/services.ts'

/** What a form states about one of its files, before and after it. */
export interface SaidOfFile {
  /** Cleaned; '' if the form gives none. */
  readonly filename: string
  readonly visibility: string | undefined
  /** An album by its ID or title, and tags separated by commas. */
  readonly album: string | undefined
  readonly tags: string | undefined
  /** The visibility of a new image if none is requested. */
  readonly otherwise: 'private' | 'link' | 'public'
}

/** A form as one of its files sees it. */
export interface UploadForm {
  /** An earlier file of the form already holds a place among concurrent uploads, which covers this one. */
  readonly holdsPlace: boolean
  /** Calls `store` once the form has ended and it is this file's turn. Rejects if the form does not reach its end. */
  whenEnded<T>(store: (said: SaidOfFile) => Promise<T>): Promise<T>
}

/** What a procedure knows about its request, which may contain several calls. */
export interface Context {
  readonly app: Services
  readonly viewer: Viewer | null
  readonly caller: Caller
  readonly requestId: string
  /** True for a request with an unknown token, which must be refused rather than served as a guest's. */
  readonly hasVoidToken: boolean
  /** What a wrong token was charged to its address; if that is a refusal, every call of the request fails with it. Null otherwise. */
  readonly tokenDecision: Decision | null
  /** By the browser's headers, another site's page has sent the request. */
  readonly foreignOrigin: boolean
  header(name: string): string | undefined
  /** Returns the language of the request's reader, for what a page shows of a failure. */
  locale(): Locale
  /** Accepts the body. An octet stream is not read before that. */
  acceptBody(): void
  /** Checks again whether the session or token is still valid, for input that arrives after the head; null if all has arrived. */
  readonly isStillValid: (() => Promise<boolean>) | null
  /** The form that an upload's file is part of; null for a file alone. */
  readonly form: UploadForm | null
  /** Aborted when the server drains, to end endless streams. Null for server-side calls. */
  readonly draining: AbortSignal | null
  /** All decisions of this request, for its RateLimit headers. */
  readonly decisions: Decision[]
}

/** The context of a call that has been charged. */
export interface CallContext extends Context {
  /** The rule whose lack of permits requires a cheaper answer; null if there is none. */
  readonly degraded: RuleReport | null
  /** Refuses the call by that rule, where there is no cheaper answer. The whole call is then charged nothing. */
  refuseBy(rule: RuleReport): Promise<never>
  /** Charges what a step within the procedure declares. Throws TOO_MANY_REQUESTS if refused; the whole call is then charged
   *  nothing. */
  charge(step: DeclaredRoute): Promise<Decision>
  /** The same for what another caller is charged as well, such as a share. */
  chargeFor(requests: readonly LimitRequest[]): Promise<Decision>
  /** Charges as many permits of a step as its rule sets have, up to `most`, for a bulk call that does part of its work.
   *  Returns their number. */
  chargeUpTo(step: DeclaredRoute, most: number): Promise<number>
  /** Charges the penalties of the call's sets, once: for input that has turned out abusive. */
  penalize(): Promise<void>
  /** Settles a call charged for the declared bytes of its body at the bytes actually moved. */
  settle(bytes: number): Promise<void>
}

export interface RequestFacts {
  readonly viewer: Viewer | null
  /** From `identify`, on routes that accept tokens. */
  readonly tokenDecision?: Decision | null
  /** The client's address as limits count it (server/http/client-address.ts). */
  readonly address: string
  readonly requestId: string
  readonly foreignOrigin: boolean
  header(name: string): string | undefined
  /** Of who has chosen none in their account; by default English. */
  locale?(): Locale
  /** Set if the body waits to be accepted. */
  acceptBody?(): void
  /** Set if the input has not arrived yet. */
  readonly isStillValid?: (() => Promise<boolean>) | null
  readonly form?: UploadForm | null
  readonly draining?: AbortSignal | undefined
}

export function createContext(app: Services, facts: RequestFacts): Context {
  const { tokenDecision = null } = facts
  return {
    app,
    viewer: facts.viewer,
    caller: toCaller(facts.viewer, facts.address),
    requestId: facts.requestId,
    hasVoidToken: facts.viewer === null && readBearerToken(facts.header('authorization')) !== null,
    tokenDecision,
    foreignOrigin: facts.foreignOrigin,
    header: facts.header,
    locale: () => facts.viewer?.locale ?? facts.locale?.() ?? DEFAULT_LOCALE,
    acceptBody: () => facts.acceptBody?.(),
    isStillValid: facts.isStillValid ?? null,
    form: facts.form ?? null,
    draining: facts.draining ?? null,
    decisions: tokenDecision ? [tokenDecision] : [],
  }
}

/** The context could not be created, because a dependency failed. The error formatter reads from here what it needs of one. */
export class NoContext extends Error {
  override name = 'NoContext'
  readonly context: Pick<Context, 'requestId' | 'locale'>

  constructor(context: NoContext['context'], cause: unknown) {
    super('could not create the context', { cause })
    this.context = context
  }
}
