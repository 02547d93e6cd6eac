import { z } from 'zod'
import { refuse } from '#server/errors/refuse.ts'
import type { Role } from './viewer.ts'

export const roleSchema = z.enum(['user', 'admin', 'superadmin'])

/** Throws BAD_REQUEST for a shared superadmin account: superadmins are exempt from limits. */
export function refuseSharedSuperadmin(role: Role, shared: boolean): void {
  if (role === 'superadmin' && shared) throw refuse('shared-superadmin')
}

/** What a list of users can be filtered by: may sign in, is banned, is shared, or has never signed in. */
export const userStates = ['active', 'banned', 'shared', 'never'] as const
