import { callerOf, type Viewer } from '#server/accounts/viewer.ts'
import type { App } from '#server/app.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { RuleSet } from '#server/limits/rule-set.ts'
import type { Caller } from '#server/limits/subject.ts'
import { charge } from './limit.ts'

/** What a procedure knows of its request. */
export interface Context {
  readonly app: App
  readonly viewer: Viewer | null
  readonly caller: Caller
  readonly requestId: string
  /** True when a browser says that another site's page sent the request. */
  readonly foreignOrigin: boolean
  header(name: string): string | undefined
  /** Takes from further rule sets in the middle of a procedure; throws TOO_MANY_REQUESTS when refused. */
  charge(ruleSets: readonly RuleSet[]): Promise<void>
  /** Lets the body come: until then nothing of an octet stream is read. */
  acceptBody(): void
  /** Every decision of this request, for its RateLimit headers. */
  readonly decisions: Decision[]
}

export interface RequestFacts {
  readonly viewer: Viewer | null
  /** The client's address, normalised by server/http/client-address.ts. */
  readonly address: string
  readonly requestId: string
  readonly foreignOrigin: boolean
  header(name: string): string | undefined
  /** Given where a body waits to be accepted. */
  acceptBody?(): void
}

export function createContext(app: App, facts: RequestFacts): Context {
  const ctx: Context = {
    app,
    viewer: facts.viewer,
    caller: callerOf(facts.viewer, facts.address),
    requestId: facts.requestId,
    foreignOrigin: facts.foreignOrigin,
    header: facts.header,
    acceptBody: () => facts.acceptBody?.(),
    charge: (ruleSets) => charge(ctx, 'charge', ruleSets),
    decisions: [],
  }
  return ctx
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
