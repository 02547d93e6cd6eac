import type { Locale } from '#format/locale.ts'
import type { Caller } from '#server/limits/subject.ts'

export type Role = 'user' | 'admin' | 'superadmin'

/** What an API token may do with its owner's images: upload, view ('read'), or change and delete ('manage') them. */
export const scopes = ['upload', 'read', 'manage'] as const
export type Scope = (typeof scopes)[number]

/** The account behind a request, as its row was when the request arrived. */
export interface Viewer {
  readonly userId: string
  readonly username: string
  /** The name that others see; null if they see none. */
  readonly displayName: string | null
  /** Names the picture in its address (profile/picture.ts); null without one. */
  readonly pictureHash: string | null
  /** Always 'user' for a request with an API token, which cannot administer. */
  readonly role: Role
  /** Used by several people: limited by client address, and with few rights to change anything. */
  readonly shared: boolean
  /** The chosen language. Null if there is none, for a shared account, and for a request with an API token. */
  readonly locale: Locale | null
  /** Null for a request with an API token. */
  readonly sessionId: string | null
  /** When the user of the session last proved who they are (server/identity/proof.ts). Null for a request with an API token. */
  readonly provedAt: Date | null
  /** The site requires a second factor of the account, which has none: the session may set one up, and nothing else. Never true for a
   *  request with an API token. */
  readonly needsFactor: boolean
  readonly token: ViewerToken | null
}

/** The API token of a request (tokens/api-token.ts). */
export interface ViewerToken {
  readonly id: string
  readonly scopes: readonly Scope[]
  /** Its owner is a superadmin, so that no limits apply. */
  readonly isSuperadmins: boolean
}

/** The columns of a user that make a viewer. */
export const viewerColumns = {
  id: true,
  username: true,
  displayName: true,
  pictureHash: true,
  role: true,
  shared: true,
  bannedAt: true,
  locale: true,
  lastSeenAt: true,
} as const

/** Whether the viewer may keep albums, tags and favourites. Several people use a shared admin account to look at things: it keeps none. */
export const mayFile = (viewer: Viewer): boolean => !(viewer.shared && isAdmin(viewer))

/** Returns the limiter's caller for a request by a viewer, or by a guest (null). */
export function toCaller(viewer: Viewer | null, address: string): Caller {
  const { userId = null, shared = false, role = 'guest' } = viewer ?? {}
  return { address, userId, shared, role }
}

/** How long a proof holds: ten minutes. */
export const PROOF_MS = 10 * 60_000

/** Returns whether the session's user has proven who they are in the last ten minutes. */
export const isProven = ({ provedAt }: Pick<Viewer, 'provedAt'>, now = Date.now()): boolean =>
  provedAt !== null && now - provedAt.getTime() < PROOF_MS

export const isAdmin = (viewer: Viewer | null): boolean => viewer?.role === 'admin' || viewer?.role === 'superadmin'

export const isSuperadmin = (viewer: Viewer | null): boolean => viewer?.role === 'superadmin'

/** Returns whether the viewer is exempt from the limits that procedures declare. */
export const isUnlimited = (viewer: Viewer | null): boolean =>
  isSuperadmin(viewer) || viewer?.token?.isSuperadmins === true
