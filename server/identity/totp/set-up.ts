import { createSealer } from '#server/sealed.ts'

/*
 * An authenticator app that is being set up is kept by the browser, sealed: nothing is stored before the first right code, and two
 * browsers cannot replace each other's secret. It is void once the account's app is another one than when it began.
 */

const MINUTES = 30

interface Site {
  readonly secret: string
}

interface SetUpOf {
  readonly userId: string
  /** When the app that the account has was set up; null if it has none. */
  readonly since: Date | null
}

const createSetUpSealer = ({ secret }: Site) => createSealer(secret, 'sluice set-up of an authenticator app')

const about = ({ userId, since }: SetUpOf): string => `${userId}/${since?.getTime() ?? ''}`

export function sealSetUp(site: Site, of: SetUpOf, totpSecret: string, now = Date.now()): string {
  return createSetUpSealer(site).seal(`${now + MINUTES * 60_000}/${totpSecret}`, about(of))
}

/** Returns the secret that is being set up; null if it took too long, or the account's app has changed since. */
export function openSetUp(site: Site, of: SetUpOf, sealed: string, now = Date.now()): string | null {
  const [expiresAt, totpSecret] = createSetUpSealer(site).open(sealed, about(of))?.split('/') ?? []
  return totpSecret !== undefined && now < Number(expiresAt) ? totpSecret : null
}
