'use client'

import { type ComponentType, createContext, useContext } from 'react'
import type { accountParts } from './account-parts.ts'

/** Provided by the frame of signed-in users. */
export const AccountPartsContext = createContext<typeof accountParts | null>(null)

/** Returns a part of the frame as pages render it. */
function fromFrame<Props extends object>(choose: (parts: typeof accountParts) => ComponentType<Props>) {
  return function AccountPart(props: Props) {
    const parts = useContext(AccountPartsContext)
    if (!parts) throw new Error('a part of the frame of signed-in users outside of it')
    const Part = choose(parts)
    return <Part {...props} />
  }
}

export const AccessPage = fromFrame((parts) => parts.AccessPage)
export const AccountPage = fromFrame((parts) => parts.AccountPage)
export const AlbumPage = fromFrame((parts) => parts.AlbumPage)
export const AlbumsPage = fromFrame((parts) => parts.AlbumsPage)
export const AuditPage = fromFrame((parts) => parts.AuditPage)
export const BackupsPage = fromFrame((parts) => parts.BackupsPage)
export const Gallery = fromFrame((parts) => parts.Gallery)
export const ImagePage = fromFrame((parts) => parts.ImagePage)
export const JobsPage = fromFrame((parts) => parts.JobsPage)
export const LimitsPage = fromFrame((parts) => parts.LimitsPage)
export const ReportsPage = fromFrame((parts) => parts.ReportsPage)
export const SharesPage = fromFrame((parts) => parts.SharesPage)
export const SitePage = fromFrame((parts) => parts.SitePage)
export const SpendingPage = fromFrame((parts) => parts.SpendingPage)
export const Tags = fromFrame((parts) => parts.Tags)
export const Trash = fromFrame((parts) => parts.Trash)
export const UsersPage = fromFrame((parts) => parts.UsersPage)
