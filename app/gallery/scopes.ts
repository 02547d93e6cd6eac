import type { Account } from '#app/shell/session.tsx'
import type { ListScope } from './list-place.ts'

const isAdmin = ({ role }: Pick<Account, 'role'>) => role !== 'user'

/** Returns the scopes that a viewer can choose from; the first is shown unless another is chosen. */
export function listScopes(account: Pick<Account, 'role'> | null, hasGallery: boolean): readonly ListScope[] {
  return [
    ...(account ? (['mine'] as const) : []),
    ...(hasGallery ? (['gallery'] as const) : []),
    ...(account && isAdmin(account) ? (['all'] as const) : []),
  ]
}

/** Returns the scope that is asked for, if the viewer can choose it. */
export const chooseScope = (scopes: readonly ListScope[], requested: unknown): ListScope =>
  scopes.find((scope) => scope === requested) ?? scopes[0] ?? 'gallery'
