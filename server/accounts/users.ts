import { TRPCError } from '@trpc/server'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import type { Role, Viewer } from './viewer.ts'

/** The columns of a user that may leave the server. */
export const userColumns = {
  id: true,
  username: true,
  role: true,
  shared: true,
  bannedAt: true,
  createdAt: true,
  _count: { select: { images: true } },
} as const

interface UserRow {
  id: string
  username: string
  role: Role
  shared: boolean
  bannedAt: Date | null
  createdAt: Date
  _count: { images: number }
}

export interface UserItem {
  readonly id: string
  readonly username: string
  readonly role: Role
  readonly shared: boolean
  readonly banned: boolean
  /** ISO 8601. */
  readonly createdAt: string
  /** How many images they own, the trash included. */
  readonly images: number
}

export function toUserItem({ id, username, role, shared, bannedAt, createdAt, _count }: UserRow): UserItem {
  return {
    id,
    username,
    role,
    shared,
    banned: bannedAt !== null,
    createdAt: createdAt.toISOString(),
    images: _count.images,
  }
}

/**
 * Changes one user under a lock on that one and on all superadmins: whatever runs at once, one who can sign in is left.
 * An admin reaches users only, a superadmin everybody.
 * Throws NOT_FOUND, FORBIDDEN, or CONFLICT for the last superadmin.
 */
export async function changeUser<T>(
  db: PrismaClient,
  viewer: Viewer,
  id: string,
  change: (tx: Transaction, user: { id: string; username: string; role: Role; shared: boolean }) => Promise<T>,
): Promise<T> {
  return db.$transaction(async (tx) => {
    // NO KEY: a superadmin's uploads and sign-ins, which refer to these rows, need not wait.
    await tx.$queryRaw`
      SELECT id FROM "User" WHERE role = 'superadmin' OR id = ${id}::uuid ORDER BY id FOR NO KEY UPDATE`
    const user = await tx.user.findUnique({
      where: { id },
      select: { id: true, username: true, role: true, shared: true },
    })
    if (!user) throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such user.' })
    if (viewer.role !== 'superadmin' && user.role !== 'user') {
      throw new TRPCError({ code: 'FORBIDDEN', message: 'Only a superadmin may change an admin.' })
    }
    const result = await change(tx, user)
    const left = await tx.user.count({ where: { role: 'superadmin', bannedAt: null } })
    if (left === 0)
      throw new TRPCError({ code: 'CONFLICT', message: 'This is the last superadmin: appoint another first.' })
    return result
  })
}
