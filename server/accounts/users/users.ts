import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { requireSession } from '../lock-caller.ts'
import { picturePath } from '../profile/picture.ts'
import type { Role, Viewer } from '../viewer.ts'

/** The columns of a user that may be sent to clients. */
export const userColumns = {
  id: true,
  username: true,
  role: true,
  shared: true,
  bannedAt: true,
  banReason: true,
  displayName: true,
  pictureHash: true,
  email: true,
  lastSeenAt: true,
  createdAt: true,
  usedBytes: true,
  quotaBytes: true,
  _count: { select: { images: true } },
} as const

interface UserRow {
  id: string
  username: string
  role: Role
  shared: boolean
  bannedAt: Date | null
  banReason: string | null
  displayName: string | null
  pictureHash: string | null
  email: string | null
  lastSeenAt: Date | null
  createdAt: Date
  usedBytes: bigint
  quotaBytes: bigint | null
  _count: { images: number }
}

export interface UserItem {
  readonly id: string
  readonly username: string
  readonly role: Role
  readonly shared: boolean
  readonly banned: boolean
  /** Null without a reason, and for viewers of a shared account. */
  readonly banReason: string | null
  /** The name that others see; null if they see none. */
  readonly displayName: string | null
  /** The path of their picture; null without one. */
  readonly picture: string | null
  /** The confirmed address; null without one, and for viewers of a shared account. */
  readonly email: string | null
  /** ISO 8601, to ten minutes; null for a user who has never signed in, and for viewers of a shared account. */
  readonly lastSeenAt: string | null
  /** ISO 8601. */
  readonly createdAt: string
  /** The number of images they own, including the trash. */
  readonly images: number
  /** Bytes of these images. */
  readonly usedBytes: number
  /** Null for the site's quota. */
  readonly quotaBytes: number | null
}

/** `isPersonal` is false for viewers of a shared account, who do not see what concerns a person. */
export function toUserItem(user: UserRow, isPersonal = true): UserItem {
  const { id, username, role, shared, bannedAt, createdAt, usedBytes, quotaBytes, _count } = user
  return {
    id,
    username,
    role,
    shared,
    banned: bannedAt !== null,
    banReason: isPersonal ? user.banReason : null,
    displayName: user.displayName,
    picture: picturePath(user.pictureHash),
    email: isPersonal ? user.email : null,
    lastSeenAt: isPersonal ? (user.lastSeenAt?.toISOString() ?? null) : null,
    createdAt: createdAt.toISOString(),
    images: _count.images,
    usedBytes: Number(usedBytes),
    quotaBytes: quotaBytes === null ? null : Number(quotaBytes),
  }
}

/** A user before the change. */
export type ChangedUser = Pick<UserRow, 'id' | 'username' | 'role' | 'shared' | 'bannedAt' | 'quotaBytes'>

interface ChangeOptions {
  /** Runs before users are locked, for locks that come first: those of objects. */
  readonly before?: (tx: Transaction) => Promise<void>
  /** Admins may make this change to their own account. */
  readonly isOwn?: boolean
}

/**
 * Changes one user with that user, the caller and all superadmins locked, so that under concurrent changes one superadmin
 * who can sign in is left, and a caller who has lost their rights changes nothing. Admins can change users only,
 * superadmins everyone. Throws UNAUTHORIZED, NOT_FOUND, FORBIDDEN, or CONFLICT for the last superadmin.
 */
export async function changeUser<T>(
  db: PrismaClient,
  viewer: Viewer,
  id: string,
  change: (tx: Transaction, user: ChangedUser) => Promise<T>,
  { before, isOwn = false }: ChangeOptions = {},
): Promise<T> {
  return transact(db, async (tx) => {
    await before?.(tx)
    // NO KEY: inserting a session, whose foreign key refers to these rows, need not wait.
    await tx.$queryRaw`
      SELECT id FROM "User" WHERE role = 'superadmin' OR id IN (${id}::uuid, ${viewer.userId}::uuid)
      ORDER BY id FOR NO KEY UPDATE`
    await requireSession(tx, viewer)
    const user = await tx.user.findUnique({
      where: { id, guestUntil: null },
      select: { id: true, username: true, role: true, shared: true, bannedAt: true, quotaBytes: true },
    })
    if (!user) throw refuse('user-not-found')
    const mayChange = viewer.role === 'superadmin' || user.role === 'user' || (isOwn && id === viewer.userId)
    if (!mayChange) throw refuse('admin-needs-superadmin')
    const result = await change(tx, user)
    const left = await tx.user.count({ where: { role: 'superadmin', bannedAt: null } })
    if (left === 0) throw refuse('last-superadmin')
    return result
  })
}
