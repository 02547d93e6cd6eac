import type { Transaction } from '#server/database/database.ts'
import type { Services } from '#server/services.ts'
import { createDeviceCookie, isTrusted } from '../accounts/sessions/devices.ts'
import { openSession, type SignInFrom } from '../accounts/sessions/sessions.ts'
import { hasSecondFactor, readFactors } from './factors.ts'
import { listMethods, type SecondStepName } from './second-step/methods.ts'
import { createPendingSignIn, type FirstStep } from './second-step/pending-sign-in.ts'

/** An account whose user has been verified. A passkey is both steps in one: it is something that they have, and it has verified them. */
export type Verified =
  | { readonly userId: string; readonly by: 'password'; readonly passwordHash: string }
  | { readonly userId: string; readonly by: 'oidc' | 'link' }
  /** `claim` verifies the passkey, in the transaction that opens the session. */
  | { readonly userId: string; readonly by: 'passkey'; readonly claim: (tx: Transaction) => Promise<boolean> }

export type CompletedSignIn =
  | {
      readonly outcome: 'signed-in'
      readonly userId: string
      readonly username: string
      readonly sessionId: string
      /** The Set-Cookie header that names the device. */
      readonly deviceCookie: string
    }
  | {
      readonly outcome: 'second-step'
      /** The Set-Cookie header of the pending sign-in. */
      readonly pendingCookie: string
      readonly methods: readonly SecondStepName[]
    }

/**
 * Every way to sign in ends here: opens a session, or starts the second step if the account has a second factor, and neither the device
 * is trusted nor the provider has checked one. Returns null if the account has been banned, deleted or given another password since it
 * was verified, or a claim fails. An account that lacks a factor that the site requires is signed in, and led to set one up (Viewer.needsFactor). A factor
 * is asked for even where the site no longer offers any: a setting must not weaken an account without its owner's knowledge.
 */
export async function completeSignIn(
  app: Services,
  verified: Verified,
  from: SignInFrom,
): Promise<CompletedSignIn | null> {
  const { userId, by } = verified
  const isChecked = from.provider?.hasFactor === true
  if (by !== 'passkey' && !isChecked && (await needsSecondStep(app, userId, from.deviceId ?? null)))
    return startSecondStep(app, { userId, by }, from)
  const passwordHash = verified.by === 'password' ? verified.passwordHash : null
  const claim = verified.by === 'passkey' ? verified.claim : undefined
  const opened = await openSession(app.db, { id: userId, passwordHash }, notingDevice(app, from), claim)
  return opened && toSignedIn(app, userId, opened)
}

/** Has a sign-in from a browser that the account does not know noted to its owner. */
export const notingDevice = ({ mail }: Pick<Services, 'mail'>, from: SignInFrom): SignInFrom => ({
  ...from,
  noteDevice: (tx, device) => mail.send(tx, { kind: 'device', ...device, at: new Date().toISOString() }),
})

type SignedIn = Extract<CompletedSignIn, { outcome: 'signed-in' }>

export function toSignedIn(
  { config }: Pick<Services, 'config'>,
  userId: string,
  { sessionId, deviceId, username }: NonNullable<Awaited<ReturnType<typeof openSession>>>,
): SignedIn {
  const deviceCookie = createDeviceCookie(config, { userId, deviceId })
  return { outcome: 'signed-in', userId, username, sessionId, deviceCookie }
}

async function needsSecondStep({ db }: Services, userId: string, deviceId: string | null): Promise<boolean> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { shared: true } })
  if (!user || user.shared || !hasSecondFactor(await readFactors(db, userId))) return false
  return !(await isTrusted({ db }, userId, deviceId))
}

async function startSecondStep(
  app: Services,
  { userId, by }: { readonly userId: string; readonly by: FirstStep },
  { address, provider = null }: SignInFrom,
): Promise<CompletedSignIn> {
  const pendingCookie = await createPendingSignIn(app, { userId, by, address, provider })
  return { outcome: 'second-step', pendingCookie, methods: await listMethods(app, userId) }
}
