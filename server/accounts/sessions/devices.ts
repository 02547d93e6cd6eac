import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { createSealer } from '#server/sealed.ts'
import { readCookie } from './session-token.ts'

/** A browser that has signed in to an account. Its cookie gives no rights: its sign-ins to that account take turns of their own at
 *  the password checks, and need no second step while it is trusted. Its row is deleted when the account's sessions are ended
 *  (endSessions). */
interface Device {
  readonly userId: string
  readonly deviceId: string
}

/** A sign-in of a device, or of one that is not known (null). */
interface DeviceSignIn {
  readonly userId: string
  readonly deviceId: string | null
  readonly userAgent: string
  readonly address: string
  /** Trusts the device from now on; unchanged if absent. */
  readonly trusts?: boolean | undefined
}

interface Site {
  readonly origin: string
  readonly secret: string
}

/** How long a device is known after its last sign-in: half a year. */
const DEVICE_SECONDS = 180 * 24 * 60 * 60

/** How long a device that its user has chosen to trust needs no second step: 30 days. */
export const TRUST_DAYS = 30

/** Devices per account. Beyond it, those that signed in only once are forgotten first: scripts keep no cookies. */
export const MAX_DEVICES = 100

const CONTENT = /^([0-9a-f-]{36})\/([0-9a-f-]{36})$/

const isSecure = ({ origin }: Site): boolean => origin.startsWith('https:')

const cookieName = (site: Site): string => `${isSecure(site) ? '__Secure-' : ''}sluice.device`

const createDeviceSealer = ({ secret }: Site) => createSealer(secret, 'sluice devices')

/** Returns the Set-Cookie header for a device. Browsers send it with sign-ins only. */
export function createDeviceCookie(site: Site, { userId, deviceId }: Device): string {
  const value = createDeviceSealer(site).seal(`${userId}/${deviceId}`)
  const attributes = `Path=/api/auth; Max-Age=${DEVICE_SECONDS}; HttpOnly; SameSite=Lax${isSecure(site) ? '; Secure' : ''}`
  return `${cookieName(site)}=${value}; ${attributes}`
}

/** Returns the ID of the device in a Cookie header; null unless it is known to this account. */
export async function findDevice(
  { db, config }: { readonly db: PrismaClient; readonly config: Site },
  userId: string,
  cookie: string | undefined,
): Promise<string | null> {
  const value = readCookie(cookie, cookieName(config))
  const [, owner, id] = CONTENT.exec((value && createDeviceSealer(config).open(value)) ?? '') ?? []
  if (owner !== userId || id === undefined) return null
  const where = { id, userId, expiresAt: { gt: new Date() } }
  return (await db.device.findUnique({ where, select: { id: true } }))?.id ?? null
}

/** Returns whether a known device of the account needs no second step. */
export async function isTrusted(
  { db }: { readonly db: PrismaClient },
  userId: string,
  deviceId: string | null,
): Promise<boolean> {
  if (deviceId === null) return false
  return (await db.device.count({ where: { id: deviceId, userId, trustedUntil: { gt: new Date() } } })) > 0
}

/** Records a sign-in of the device, or of a new one if it is null or was forgotten, and returns its ID. The user's row must be
 *  locked. */
export async function rememberDevice(
  tx: Transaction,
  { userId, deviceId, trusts, ...client }: DeviceSignIn,
  now: Date,
): Promise<string> {
  const used = {
    ...client,
    lastUsedAt: now,
    expiresAt: new Date(now.getTime() + DEVICE_SECONDS * 1_000),
    ...(trusts && { trustedUntil: new Date(now.getTime() + TRUST_DAYS * 24 * 60 * 60 * 1_000) }),
  }
  if (deviceId !== null) {
    const { count } = await tx.device.updateMany({ where: { id: deviceId, userId }, data: used })
    if (count > 0) return deviceId
  }
  await tx.$executeRaw`
    DELETE FROM "Device" WHERE "userId" = ${userId}::uuid AND ("expiresAt" < ${now} OR "id" IN (
      SELECT "id" FROM "Device" WHERE "userId" = ${userId}::uuid
      ORDER BY ("lastUsedAt" > "createdAt") DESC, "lastUsedAt" DESC, "id" OFFSET ${MAX_DEVICES - 1}::int))`
  const device = await tx.device.create({ data: { userId, createdAt: now, ...used }, select: { id: true } })
  return device.id
}
