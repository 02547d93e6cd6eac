import type { ImageItem } from '#app/connection/trpc.ts'
import { type Account, mayFile } from '#app/shell/session.tsx'

type Facts = Pick<ImageItem, 'mine' | 'visibility'>

/** The actions that the page offers an account for an image. The server checks again. */
export interface Rights {
  readonly edit: boolean
  /** Into albums and under tags. */
  readonly file: boolean
  /** By a link of its own. */
  readonly share: boolean
  readonly trash: boolean
  readonly purge: boolean
}

export function rightsOver(account: Account | null, { mine, visibility }: Facts): Rights {
  if (!account) return { edit: false, file: false, share: false, trash: false, purge: false }
  const owns = mine || account.role === 'superadmin'
  return {
    edit: owns,
    file: owns && mayFile(account),
    share: owns && !account.shared,
    trash: owns || (account.role === 'admin' && visibility === 'public'),
    purge: owns && !account.shared,
  }
}
