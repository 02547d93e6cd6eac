import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { createSealer } from '#server/sealed.ts'
import { readCookie } from '../../accounts/sessions/session-token.ts'

/*
 * Between leaving for a provider and coming back there is a row that ends after ten minutes, and a cookie that names it: who comes back in
 * another browser, a second time, from another provider or with another state is refused. So nobody can be signed in by a callback that
 * somebody else has begun.
 */

const MINUTES = 10

/** Flows under way from one address: a further one ends the oldest. */
const MAX_PER_ADDRESS = 50

/** What a browser is sent to a provider for: to sign in, to link its account there, or to prove who uses the session. */
export type FlowPurpose = 'sign-in' | 'link' | 'proof'

export interface NewFlow {
  readonly providerName: string
  readonly purpose: FlowPurpose
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly next: string
  readonly inviteHash: string | null
  readonly sessionId: string | null
  readonly address: string
}

export interface Flow extends Omit<NewFlow, 'purpose' | 'address'> {
  readonly purpose: string
  readonly createdAt: Date
}

interface Site {
  readonly origin: string
  readonly secret: string
}

interface Parts {
  readonly db: PrismaClient
  readonly config: Site
}

const isSecure = ({ origin }: Site): boolean => origin.startsWith('https:')

const cookieName = (site: Site): string => `${isSecure(site) ? '__Secure-' : ''}sluice.provider`

const createFlowSealer = ({ secret }: Site) => createSealer(secret, 'sluice provider flow')

/** Lax, because the provider's page leads back. */
function createCookie(site: Site, value: string, seconds: number): string {
  const secure = isSecure(site) ? '; Secure' : ''
  return `${cookieName(site)}=${value}; Path=/api/auth/oidc; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/** Begins a flow. Returns the Set-Cookie header that binds it to the browser. */
export async function createFlow({ db, config }: Parts, flow: NewFlow): Promise<string> {
  const createdAt = new Date()
  const expiresAt = new Date(createdAt.getTime() + MINUTES * 60_000)
  await db.$executeRaw`
    DELETE FROM "OidcFlow" WHERE "expiresAt" < ${createdAt} OR "id" IN (
      SELECT "id" FROM "OidcFlow" WHERE "address" = ${flow.address}
      ORDER BY "createdAt" DESC, "id" DESC OFFSET ${MAX_PER_ADDRESS - 1}::int)`
  const { id } = await db.oidcFlow.create({ data: { ...flow, createdAt, expiresAt }, select: { id: true } })
  return createCookie(config, createFlowSealer(config).seal(id), MINUTES * 60)
}

/** Returns the Set-Cookie header that ends it in the browser. */
export const removeFlowCookie = (site: Site): string => createCookie(site, '', 0)

/** Uses up the flow of a Cookie header, by which the browser has come back from this provider with this state. Returns null if there is
 *  none, or it has ended. */
export async function spendFlow(
  { db, config }: Parts,
  cookie: string | undefined,
  { providerName, state }: Pick<NewFlow, 'providerName' | 'state'>,
): Promise<Flow | null> {
  const value = readCookie(cookie, cookieName(config))
  const id = value && createFlowSealer(config).open(value)
  if (!id) return null
  return db.$transaction(async (tx: Transaction) => {
    const where = { id, providerName, state, expiresAt: { gt: new Date() } }
    const flow = await tx.oidcFlow.findUnique({ where })
    // Of concurrent callbacks one deletes it.
    return flow && (await tx.oidcFlow.deleteMany({ where })).count > 0 ? flow : null
  })
}
