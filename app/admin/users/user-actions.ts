import type { UserItem } from '#app/connection/trpc.ts'
import type { Account } from '#app/shell/session.tsx'

export type UserAction = 'role' | 'quota' | 'password' | 'factors' | 'ban' | 'unban' | 'delete'

/** The actions that a viewer is offered for an account. The server decides; the page only avoids refusals. */
export function actionsFor(viewer: Account, user: Pick<UserItem, 'id' | 'role' | 'banned'>): readonly UserAction[] {
  if (viewer.shared) return []
  if (viewer.userId === user.id) return viewer.role === 'superadmin' ? ['quota'] : []
  const ban = user.banned ? 'unban' : 'ban'
  // The link for a password does not work while its account is banned.
  const password = user.banned ? [] : (['password'] as const)
  if (viewer.role === 'superadmin') return ['role', 'quota', ...password, 'factors', ban, 'delete']
  return viewer.role === 'admin' && user.role === 'user' ? [...password, ban] : []
}

/** Whether a viewer is offered the creation of accounts and invites. */
export const mayAdd = (viewer: Account): boolean => viewer.role !== 'user' && !viewer.shared
