import type { TRPCError } from '@trpc/server'
import { refuse } from '#server/errors/refuse.ts'
import type { Decision } from '#server/limits/decision.ts'
import { chargeOf } from '#server/limits/rules/declared-route.ts'
import type { Services } from '#server/services.ts'
import { findDevice } from '../../accounts/sessions/devices.ts'
import { openSession, type SignInFrom } from '../../accounts/sessions/sessions.ts'
import { type CompletedSignIn, notingDevice, toSignedIn } from '../complete-sign-in.ts'
import { secondStepByAccount, secondStepByAddress } from '../limits.ts'
import { isSecondStep, type SecondStepName, secondStepMethods } from './methods.ts'
import { findPendingSignIn, type PendingSignIn, removePendingCookie, spendPendingSignIn } from './pending-sign-in.ts'

interface Answer extends Omit<SignInFrom, 'deviceId'> {
  readonly method: string
  readonly answer: string
  /** The request's Cookie header, which names the pending sign-in and may name the device. */
  readonly cookie: string | undefined
}

export type SecondStepOutcome =
  | (Extract<CompletedSignIn, { outcome: 'signed-in' }> & {
      /** Set-Cookie headers. */ readonly cookies: readonly string[]
    })
  /** The browser has no pending sign-in, or it has ended: the sign-in begins again. */
  | { readonly outcome: 'expired' }
  /** `error` says what is wrong. */
  | { readonly outcome: 'wrong'; readonly error: TRPCError }
  | { readonly outcome: 'limited'; readonly decision: Decision }

/**
 * Takes the second step of the browser's pending sign-in, and opens the session. Like a first step, each try is charged before it is
 * checked and refunded if it is right, so that concurrent guesses cannot slip past a limit. A wrong one leaves the pending sign-in as
 * it is.
 */
export async function finishSignIn(app: Services, answer: Answer): Promise<SecondStepOutcome> {
  const pending = await findPendingSignIn(app, answer.cookie)
  if (!pending) return { outcome: 'expired' }
  if (!isSecondStep(answer.method)) return { outcome: 'wrong', error: refuse('wrong-second-step') }
  const deviceId = await findDevice(app, pending.userId, answer.cookie)
  const permits = await reservePermits(app, { pending, deviceId, method: answer.method, address: answer.address })
  const refused = permits.find(({ decision }) => !decision.allowed)
  const end = (outcome: 'succeeded' | 'failed') => Promise.all(permits.map((permit) => permit.end(outcome)))
  if (refused) {
    await end('succeeded')
    await recordFailure(app, pending, answer, 'limited')
    return { outcome: 'limited', decision: refused.decision }
  }
  try {
    const outcome = await tryAnswer(app, { pending, deviceId, method: answer.method }, answer)
    await end(outcome.outcome === 'wrong' ? 'failed' : 'succeeded')
    if (outcome.outcome === 'wrong') await recordFailure(app, pending, answer, 'wrong-second-step')
    return outcome
  } catch (error) {
    await end('succeeded')
    throw error
  }
}

interface Try {
  readonly pending: PendingSignIn
  readonly deviceId: string | null
  readonly method: SecondStepName
}

async function reservePermits(
  { limiter }: Services,
  { pending, deviceId, method, address }: Try & { address: string },
) {
  const caller = { address, userId: null, shared: false }
  const byAddress = limiter.reserve(...chargeOf(secondStepByAddress, caller))
  if (!secondStepMethods[method].isGuessable) return [await byAddress]
  const subject = deviceId === null ? pending.userId : `${pending.userId}\n${deviceId}`
  const byAccount = limiter.reserve(...chargeOf(secondStepByAccount, { subject }))
  return Promise.all([byAddress, byAccount])
}

async function tryAnswer(
  app: Services,
  { pending, deviceId, method }: Try,
  { answer, address, userAgent, requestId = 'page', trusts = false }: Answer,
): Promise<SecondStepOutcome> {
  const { id, userId, challenge, provider } = pending
  let failure: SecondStepOutcome = { outcome: 'expired' }
  const from = notingDevice(app, { address, userAgent, requestId, deviceId, trusts, provider })
  const opened = await openSession(app.db, { id: userId, passwordHash: null }, from, async (tx, { username }) => {
    // First, so that of concurrent answers only one is looked at, and no code is used up by a sign-in that has ended.
    if (!(await spendPendingSignIn(tx, { id }))) return false
    const actor = { userId, username, requestId, address, userAgent }
    const error = await secondStepMethods[method].accept(tx, { userId, answer, challenge, site: app.config, actor })
    if (error) failure = { outcome: 'wrong', error }
    else if (method === 'recovery') await app.mail.note(tx, actor, 'recovery-code-used')
    return error === null
  })
  if (!opened) return failure
  const signedIn = toSignedIn(app, userId, opened)
  return { ...signedIn, cookies: [signedIn.deviceCookie, removePendingCookie(app.config)] }
}

async function recordFailure(
  { db, failedSignIns }: Services,
  { userId }: PendingSignIn,
  { address, userAgent, requestId = 'page' }: Answer,
  outcome: 'wrong-second-step' | 'limited',
): Promise<void> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { usernameKey: true } })
  failedSignIns.record({ usernameKey: user?.usernameKey ?? null, outcome, address, userAgent, requestId })
}
