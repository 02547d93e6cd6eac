import type { Viewer } from '#server/accounts/viewer.ts'
import type { CallContext } from '#server/trpc/context.ts'

/** The context of a call by a signed-in viewer. */
export type UserContext = CallContext & { readonly viewer: Viewer }
