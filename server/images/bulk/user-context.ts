import type { Viewer } from '#server/accounts/viewer.ts'
import type { CallContext } from '#server/trpc/context.ts'

/** A call of somebody who is signed in. */
export type UserContext = CallContext & { readonly viewer: Viewer }
