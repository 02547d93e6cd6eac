'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { LocalDate } from '#app/ui/moment.tsx'
import { Notice } from '#app/ui/notice.tsx'

/** Shows who has created links that set this account's password, and from where they were used. */
export function PasswordLinks() {
  const t = useTranslations('account')
  const trpc = useTRPC()
  const items = useQuery(trpc.account.passwordLinks.queryOptions()).data?.items ?? []
  if (items.length === 0) return null
  return (
    <ul aria-label={t('passwordLinks')} className="mb-5 flex max-w-sm flex-col gap-2">
      {items.map(({ createdBy, createdAt, expiresAt, isMailed, used }) => {
        const by = createdBy ?? t('anAdmin')
        return (
          <li key={createdAt}>
            <Notice>
              {used
                ? t.rich(isMailed ? 'passwordMailUsed' : 'passwordLinkUsed', {
                    name: by,
                    address: used.from,
                    date: () => <LocalDate iso={used.at} time />,
                  })
                : t.rich(isMailed ? 'passwordMailOpen' : 'passwordLinkOpen', {
                    name: by,
                    date: () => <LocalDate iso={expiresAt} time />,
                  })}
            </Notice>
          </li>
        )
      })}
    </ul>
  )
}
