import { createHmac } from 'node:crypto'
import { type Actor, type AuditedAccount, commandLine, writeAudit } from '#server/audit/audit.ts'
import { CannotStart } from '#server/cannot-start.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { firstProblem } from '#server/errors/invalid.ts'
import type { Turn } from '#server/turns/lanes.ts'
import { describePasswordProblem, usernameKey, usernameSchema } from './credentials.ts'
import { OWNER_LANE } from './password-lanes.ts'
import { hashPassword } from './passwords.ts'

interface Owner {
  readonly username: string
  readonly password: string
}

/** Arbitrary, but the same in every process: 'owner' in ASCII. */
const ADVISORY_LOCK = 0x6f776e6572

/** The owner's user name or password cannot be used; the message says why. */
export class UnfitOwner extends CannotStart {
  override name = 'UnfitOwner'
}

/**
 * Returns the set-up code: 100 bits derived from the secret, so that every process of a site prints the same one. It is of
 * use only while there are no users.
 */
export function setUpCode(secret: string): string {
  const bits = createHmac('sha256', secret).update('set-up code').digest()
  const letters = Array.from(bits.subarray(0, 20), (byte) => 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'[byte % 32])
  return letters.join('').replaceAll(/(.{5})(?=.)/g, '$1-')
}

export async function hasUsers(db: PrismaClient): Promise<boolean> {
  return (await db.user.findFirst({ select: { id: true } })) !== null
}

/** Creates the first user, a superadmin, and audits it: by themself from a page, or by the settings. Returns false if a user exists;
 *  of concurrent calls exactly one succeeds. */
export async function createOwner(
  db: PrismaClient,
  { username, password }: Owner,
  { turn, by }: { readonly turn: Turn; readonly by: (user: AuditedAccount) => Actor },
): Promise<boolean> {
  const passwordHash = await hashPassword(password, turn)
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`
    if (await tx.user.findFirst({ select: { id: true } })) return false
    const data = { username, usernameKey: usernameKey(username), passwordHash, role: 'superadmin' } as const
    const user = await tx.user.create({ data, select: { id: true, username: true } })
    await writeAudit(tx, by(user), {
      action: 'setup.createOwner',
      target: `user/${user.id}`,
      account: user,
      before: null,
      after: { role: 'superadmin' },
    })
    return true
  })
}

/** Creates the owner named in the settings, if there are no users. Throws UnfitOwner for an invalid name or password. */
export async function createOwnerFromSettings(db: PrismaClient, owner: Owner): Promise<void> {
  const name = usernameSchema.safeParse(owner.username)
  if (!name.success) throw new UnfitOwner(`SLUICE_ADMIN_USERNAME: ${firstProblem(name.error)}`)
  const problem = describePasswordProblem(owner.password, owner.username)
  if (problem) throw new UnfitOwner(`SLUICE_ADMIN_PASSWORD: ${problem}`)
  if (!(await hasUsers(db))) await createOwner(db, owner, { turn: { lane: OWNER_LANE }, by: commandLine })
}
