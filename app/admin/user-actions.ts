import type { UserItem } from '#app/connection/trpc.ts'
import type { Account } from '#app/shell/session.tsx'

export type UserAction = 'role' | 'password' | 'ban' | 'unban' | 'delete'

/** What a viewer is offered to do with an account. The server decides; the page only spares people a refusal. */
export function actionsFor(viewer: Account, user: Pick<UserItem, 'id' | 'role' | 'banned'>): readonly UserAction[] {
  if (viewer.userId === user.id || viewer.shared) return []
  const ban = user.banned ? 'unban' : 'ban'
  if (viewer.role === 'superadmin') return ['role', 'password', ban, 'delete']
  return viewer.role === 'admin' && user.role === 'user' ? ['password', ban] : []
}

/** Whether a viewer is offered to make accounts and invites. */
export const mayAdd = (viewer: Account): boolean => viewer.role !== 'user' && !viewer.shared
