import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import type { Role } from './viewer.ts'

export const roleSchema = z.enum(['user', 'admin', 'superadmin'])

/** No limit binds a superadmin, so nobody may share one. Throws BAD_REQUEST. */
export function refuseSharedSuperadmin(role: Role, shared: boolean): void {
  if (role === 'superadmin' && shared) {
    throw new TRPCError({
      code: 'BAD_REQUEST',
      message: 'A superadmin account cannot be shared: no limit would bind it.',
    })
  }
}
