import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import type { Role } from './viewer.ts'

export const roleSchema = z.enum(['user', 'admin', 'superadmin'])

/** Throws BAD_REQUEST for a shared superadmin account: superadmins are exempt from limits. */
export function refuseSharedSuperadmin(role: Role, shared: boolean): void {
  if (role === 'superadmin' && shared) {
    throw new TRPCError({
      code: 'BAD_REQUEST',
      message: 'A superadmin account cannot be shared: no limit would bind it.',
    })
  }
}
