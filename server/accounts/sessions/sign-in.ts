import { setTimeout } from 'node:timers/promises'
import type { FailedOutcome } from '#server/audit/failed-places.ts'
import { type CompletedSignIn, completeSignIn } from '#server/identity/complete-sign-in.ts'
import type { Decision } from '#server/limits/decision.ts'
import { chargeOf, setsOf } from '#server/limits/rules/declared-route.ts'
import type { Services } from '#server/services.ts'
import { usernameKey, usernameSchema } from '../credentials.ts'
import { deviceLane, guestLane } from '../password-lanes.ts'
import { PasswordChecksBusy, verifyPassword } from '../passwords.ts'
import { findDevice } from './devices.ts'
import {
  signInAddress,
  signInByAccount,
  signInByAddress,
  signInByDevice,
  signInFailures as signInLimit,
} from './limits.ts'

export interface SignInAttempt {
  readonly username: string
  readonly password: string
  /** The client's normalized address. */
  readonly address: string
  readonly userAgent: string
  readonly requestId?: string | undefined
  /** The request's Cookie header, which may name the device. */
  readonly cookie?: string | undefined
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal
}

/** A wrong user name and a wrong password are the same outcome, so that it does not reveal which accounts exist or are banned. */
export type SignInOutcome =
  | CompletedSignIn
  | { readonly outcome: 'wrong' }
  /** The password was right. */
  | { readonly outcome: 'banned'; readonly reason: string | null }
  | { readonly outcome: 'limited'; readonly decision: Decision }
  | { readonly outcome: 'busy' }
  /** Passwords sign nobody in on this site. */
  | { readonly outcome: 'passwords-off' }

const perAddress = setsOf(signInByAddress, signInAddress)
const perAccountAndAddress = setsOf(signInByAddress, signInLimit)

type Sleep = (ms: number) => Promise<unknown>

/** The longest delay of a sign-in to an account beyond its limit. */
const MAX_DELAY_MS = 5_000

/**
 * Checks a password and opens a session. Limits apply before any hashing: by address and by account and address they
 * refuse; by account alone they only delay, so that guessing from elsewhere cannot lock the owner out. Every attempt is
 * charged first and refunded on success, so that only failures count and concurrent guesses cannot slip past. A fault of
 * the server is refunded too. 'busy' stays charged, also of a client that has left: otherwise nothing would stop the flood
 * that caused it. A refund is no second turn: the attempt has used that of its lane.
 */
export async function signIn(app: Services, attempt: SignInAttempt, sleep: Sleep = setTimeout): Promise<SignInOutcome> {
  if (!app.site.read().passwords) return { outcome: 'passwords-off' }
  const { username, address } = attempt
  const key = usernameKey(username)
  const guest = { address, userId: null, shared: false }
  const permit = await app.limiter.reserve(
    [
      { procedure: signInByAddress.label, sets: perAddress, caller: guest },
      { sets: perAccountAndAddress, caller: { subject: `${key}\n${address}` } },
    ],
    { label: signInByAddress.label },
  )
  const recordFailure = (outcome: FailedOutcome) => {
    const { userAgent, requestId = 'page' } = attempt
    const isName = usernameSchema.safeParse(username).success
    app.failedSignIns.record({ usernameKey: isName ? key : null, outcome, address, userAgent, requestId })
  }
  if (!permit.decision.allowed) {
    recordFailure('limited')
    return { outcome: 'limited', decision: permit.decision }
  }
  const accountPermit = await app.limiter.reserve(...chargeOf(signInByAccount, { subject: key }))
  const end = (outcome: 'succeeded' | 'failed') => Promise.all([permit.end(outcome), accountPermit.end(outcome)])
  try {
    const delayMs = Math.min(accountPermit.decision.retryAfterMs, MAX_DELAY_MS)
    if (delayMs > 0) await sleep(delayMs)
    const outcome = await checkPassword(app, attempt)
    if (outcome.outcome === 'signed-in' || outcome.outcome === 'second-step') {
      await end('succeeded')
      return outcome
    }
    recordFailure(outcome.outcome)
    await end('failed')
    return outcome
  } catch (error) {
    await end('succeeded')
    throw error
  }
}

async function checkPassword(
  app: Services,
  attempt: SignInAttempt,
): Promise<Exclude<SignInOutcome, { outcome: 'passwords-off' }>> {
  const { password, address, userAgent, requestId, signal } = attempt
  const user = await findUser(app, attempt.username)
  const deviceId = user && (await findDevice(app, user.id, attempt.cookie))
  const lane = user && deviceId && (await hasOwnTurns(app, user)) ? deviceLane(user.id, deviceId) : guestLane(address)
  try {
    const isRight = await verifyPassword(user?.passwordHash ?? null, password, { lane, signal })
    if (!user || !isRight) return { outcome: 'wrong' }
    if (user.bannedAt) return { outcome: 'banned', reason: user.banReason }
    const from = { address, userAgent, requestId, deviceId }
    const { id: userId, passwordHash } = user
    return (await completeSignIn(app, { userId, by: 'password', passwordHash }, from)) ?? { outcome: 'wrong' }
  } catch (error) {
    if (error instanceof PasswordChecksBusy) return { outcome: 'busy' }
    throw error
  }
}

/** Returns whether the account's known devices still have turns of their own. */
async function hasOwnTurns({ limiter }: Services, { username }: { username: string }): Promise<boolean> {
  const permit = await limiter.reserve(...chargeOf(signInByDevice, { subject: usernameKey(username) }))
  await permit.end('succeeded')
  return permit.decision.degradedBy === null
}

/** Returns null for an invalid user name without a query. */
async function findUser({ db }: Services, username: string) {
  if (!usernameSchema.safeParse(username).success) return null
  return db.user.findUnique({
    where: { usernameKey: usernameKey(username) },
    select: { id: true, username: true, passwordHash: true, bannedAt: true, banReason: true },
  })
}
