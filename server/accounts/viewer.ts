import type { Caller } from '#server/limits/subject.ts'

export type Role = 'user' | 'admin' | 'superadmin'

/** What a token may do for its owner: add images, look at them, change and delete them. */
export const scopes = ['upload', 'read', 'manage'] as const
export type Scope = (typeof scopes)[number]

/** The account behind a request, as its row said when the request came in. */
export interface Viewer {
  readonly userId: string
  readonly username: string
  /** Nobody administers by a token: whoever comes with one is a `user`. */
  readonly role: Role
  /** Several people use the account: it is limited by client address and may look more than touch. */
  readonly shared: boolean
  /** Null for a program, which has a token in its place. */
  readonly sessionId: string | null
  readonly token: ViewerToken | null
}

/** The token by which a program speaks for an account (api-token.ts). */
export interface ViewerToken {
  readonly id: string
  readonly scopes: readonly Scope[]
  /** Its owner is a superadmin: the token's own limits alone hold it. */
  readonly isSuperadmins: boolean
}

/** Whom the limiter counts for a request: a viewer, or a guest by address. */
export function callerOf(viewer: Viewer | null, address: string): Caller {
  const { userId = null, shared = false, role = 'guest' } = viewer ?? {}
  return { address, userId, shared, role }
}

export const isAdmin = (viewer: Viewer | null): boolean => viewer?.role === 'admin' || viewer?.role === 'superadmin'

export const isSuperadmin = (viewer: Viewer | null): boolean => viewer?.role === 'superadmin'

/** Whom the limits that procedures declare do not hold. */
export const isUnlimited = (viewer: Viewer | null): boolean =>
  isSuperadmin(viewer) || viewer?.token?.isSuperadmins === true
