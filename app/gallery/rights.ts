import type { ImageItem } from '#app/connection/trpc.ts'
import type { Account } from '#app/shell/session.tsx'

type Facts = Pick<ImageItem, 'mine' | 'visibility'>

/** The actions that the page offers an account for an image. The server checks again. */
export interface Rights {
  readonly edit: boolean
  readonly trash: boolean
  readonly purge: boolean
}

export function rightsOver(account: Account | null, { mine, visibility }: Facts): Rights {
  if (!account) return { edit: false, trash: false, purge: false }
  const owns = mine || account.role === 'superadmin'
  return {
    edit: owns,
    trash: owns || (account.role === 'admin' && visibility === 'public'),
    purge: owns && !account.shared,
  }
}
