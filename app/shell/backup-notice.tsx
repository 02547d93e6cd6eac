'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'

const EACH_MS = 60_000

/** Warns superadmins on every page if the last good backup is too old. */
export function BackupNotice() {
  const t = useTranslations('shell')
  const trpc = useTRPC()
  const query = useQuery(trpc.backup.show.queryOptions(undefined, { refetchInterval: EACH_MS, retry: false }))
  if (!query.data?.isLate) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-3 border-b border-line bg-danger-soft px-4 py-2 text-sm text-danger"
    >
      <span className="text-center">{t('backupLate')}</span>
      <Link href="/admin/backups" prefetch={false} className="font-medium underline underline-offset-4">
        {t('backups')}
      </Link>
    </div>
  )
}
