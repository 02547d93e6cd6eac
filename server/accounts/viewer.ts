import type { Caller } from '#server/limits/subject.ts'

export type Role = 'user' | 'admin' | 'superadmin'

/** The account behind a request, as its session row said when the request came in. */
export interface Viewer {
  readonly userId: string
  readonly username: string
  readonly role: Role
  /** Several people use the account: it is limited by client address and may look more than touch. */
  readonly shared: boolean
  readonly sessionId: string
}

/** Whom the limiter counts for a request: a viewer, or a guest by address. */
export function callerOf(viewer: Viewer | null, address: string): Caller {
  const { userId = null, shared = false, role = 'guest' } = viewer ?? {}
  return { address, userId, shared, role }
}

export const isAdmin = (viewer: Viewer | null): boolean => viewer?.role === 'admin' || viewer?.role === 'superadmin'

export const isSuperadmin = (viewer: Viewer | null): boolean => viewer?.role === 'superadmin'
