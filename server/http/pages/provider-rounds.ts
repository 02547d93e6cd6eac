import { hashInviteCode } from '#server/accounts/invites/invite-code.ts'
import { signUps } from '#server/accounts/limits.ts'
import { createSessionCookie } from '#server/accounts/sessions/session-token.ts'
import { SESSION_SECONDS } from '#server/accounts/sessions/sessions.ts'
import { refuse } from '#server/errors/refuse.ts'
import { providerRoundRoute } from '#server/identity/limits.ts'
import { beginRound } from '#server/identity/oidc/begin-round.ts'
import { type FinishedRound, finishRound, RoundFailed } from '#server/identity/oidc/finish-round.ts'
import { removeFlowCookie } from '#server/identity/oidc/flow.ts'
import { openRoundToken } from '#server/identity/oidc/round-token.ts'
import type { DeclaredRoute } from '#server/limits/rules/declared-route.ts'
import type { Services } from '#server/services.ts'
import type { Context } from '#server/trpc/context.ts'
import { tooManyRequests } from '#server/trpc/limit.ts'
import { describeFailure, type FormFailure } from './forms/form-failure.ts'
import { readSender } from './forms/form-sender.ts'

/** A browser on its way to a provider, or back. */
export interface RoundRequest {
  readonly provider: string
  readonly step: 'start' | 'callback'
  readonly query: URLSearchParams
  /** The path to return to, on this site. */
  readonly next: string
  /** Whether a page of this site has led here. */
  readonly isOwn: boolean
}

export type RoundOutcome =
  /** `location` is the provider's address, or a path of this site. */
  | { readonly outcome: 'done'; readonly location: string; readonly cookies: readonly string[] }
  /** Shown on `page`. */
  | {
      readonly outcome: 'failed'
      readonly page: '/signin' | typeof ROUND_PAGE
      readonly next: string
      readonly failure: FormFailure
      readonly cookies: readonly string[]
    }

/** Where links and proofs end. */
const ROUND_PAGE = '/signin/provider'

/** Takes a step of a round by a provider. Failures are shown where the round began. */
export async function takeRoundStep(app: Services, request: RoundRequest, context: Context): Promise<RoundOutcome> {
  try {
    await charge(app, context, providerRoundRoute)
    return request.step === 'start' ? await start(app, request, context) : await end(app, request, context)
  } catch (thrown) {
    return fail(app, { request, context, thrown })
  }
}

interface Failed {
  readonly request: RoundRequest
  readonly context: Context
  readonly thrown: unknown
}

function fail(app: Services, { request, context, thrown }: Failed): RoundOutcome {
  const isEnd = request.step === 'callback'
  const { purpose, next, cause } =
    thrown instanceof RoundFailed ? thrown : { purpose: null, next: request.next, cause: thrown }
  // The sign-in page shows nothing to somebody who is signed in.
  const isOfSession = purpose === null ? context.viewer !== null : purpose !== 'sign-in'
  if (isEnd && !isOfSession) recordFailure(app, context)
  const { failure } = describeFailure(app, { kind: 'provider', context }, cause)
  const cookies = isEnd ? [removeFlowCookie(app.config)] : []
  return { outcome: 'failed', page: isOfSession ? ROUND_PAGE : '/signin', next, failure, cookies }
}

async function start(app: Services, request: RoundRequest, context: Context): Promise<RoundOutcome> {
  const { provider: providerName, query } = request
  const token = query.get('round')
  const begun = token === null ? null : openRoundToken(app.config, providerName, token)
  const sessionId = context.viewer?.sessionId ?? null
  // Other sites lead nobody to a provider, whose page might sign them in unasked.
  if (token === null ? !request.isOwn : begun?.sessionId !== sessionId) throw refuse('provider-expired')
  const invite = query.get('invite')
  const { location, cookie } = await beginRound(app, {
    providerName,
    purpose: begun?.purpose ?? 'sign-in',
    next: request.next,
    inviteHash: invite === null ? null : hashInviteCode(invite),
    sessionId: begun && sessionId,
    address: context.caller.address,
  })
  return { outcome: 'done', location, cookies: [cookie] }
}

async function end(
  app: Services,
  { provider: providerName, query }: RoundRequest,
  context: Context,
): Promise<RoundOutcome> {
  const { viewer } = context
  const chargeSignUp = () => charge(app, context, signUps)
  const round = await finishRound(app, { providerName, query, viewer, ...readSender(context), chargeSignUp })
  const cookies = [removeFlowCookie(app.config)]
  if (round.purpose === 'sign-in') return { ...(await open(app, round)), outcome: 'done' }
  const location = round.purpose === 'link' ? round.next : `${ROUND_PAGE}?proven=1`
  return { outcome: 'done', location, cookies }
}

async function open(app: Services, { completed, next }: Extract<FinishedRound, { purpose: 'sign-in' }>) {
  const removed = removeFlowCookie(app.config)
  if (completed.outcome === 'second-step') {
    const location = `/signin/verify?${new URLSearchParams({ next })}`
    return { location, cookies: [completed.pendingCookie, removed] }
  }
  const session = await createSessionCookie(app.config, completed, SESSION_SECONDS)
  return { location: next, cookies: [session, completed.deviceCookie, removed] }
}

async function charge(
  { limiter }: Services,
  { caller, decisions }: Context,
  { sets, label }: DeclaredRoute,
): Promise<void> {
  const guest = { address: caller.address, userId: null, shared: false }
  const permit = await limiter.reserve([{ procedure: label, sets, caller: guest }], { label })
  await permit.end('succeeded')
  const refusal = tooManyRequests(permit.decision)
  if (!refusal) return
  decisions.push(permit.decision)
  throw refusal
}

function recordFailure({ failedSignIns }: Services, context: Context): void {
  const { address, userAgent, requestId } = readSender(context)
  failedSignIns.record({ usernameKey: null, outcome: 'provider', address, userAgent, requestId })
}
