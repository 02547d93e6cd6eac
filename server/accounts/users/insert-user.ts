import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { usernameKey } from '../credentials.ts'
import type { Role } from '../viewer.ts'
import { toUserItem, type UserItem, userColumns } from './users.ts'

/** Creates a user. Throws CONFLICT if the name is taken. */
export async function insertUser(
  db: PrismaClient | Transaction,
  user: { username: string; passwordHash: string; role?: Role; shared?: boolean },
): Promise<UserItem> {
  try {
    return toUserItem(
      await db.user.create({ data: { ...user, usernameKey: usernameKey(user.username) }, select: userColumns }),
    )
  } catch (error) {
    const isTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
    if (isTaken) throw refuse('username-taken')
    throw error
  }
}
