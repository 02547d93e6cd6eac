'use client'

import Link from 'next/link'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { LocalDate } from '#app/ui/moment.tsx'
import type { Backups } from './types.ts'

/** Where backups go, and when: the last good one, the next one, and which are kept. */
export function BackupSummary({ backups }: { backups: Backups }) {
  const t = useTranslations('adminBackups')
  const { destination, goodAt, nextAt, keep } = backups
  return (
    <dl className="grid gap-x-8 gap-y-4 rounded-lg border border-line bg-surface p-4 text-sm sm:grid-cols-2 sm:p-5">
      <Fact term={t('lastGood')}>{goodAt ? <LocalDate iso={goodAt} time /> : t('none')}</Fact>
      <Fact term={t('next')}>{nextAt ? <LocalDate iso={nextAt} time /> : t('off')}</Fact>
      <Fact term={t('destination')}>
        <span className="break-all">{destination}</span>
      </Fact>
      <Fact term={t('kept')}>
        {t.rich('keptText', {
          ...keep,
          link: (text) => (
            <Link href="/admin/site" prefetch={false} className="underline underline-offset-4">
              {text}
            </Link>
          ),
        })}
      </Fact>
    </dl>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-soft">{term}</dt>
      <dd className="figures mt-0.5 font-medium">{children}</dd>
    </div>
  )
}
