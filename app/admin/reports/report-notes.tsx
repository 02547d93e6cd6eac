'use client'

import { useTranslations } from 'use-intl/react'
import { FirstFew } from '#app/ui/first-few.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { reasonName } from './reason-name.ts'
import type { ReportItem } from './use-reports.ts'

/** How many notes are shown at first. */
const FEW = 3

/** What people have reported, the newest first. */
export function ReportNotes({ notes, count }: { notes: ReportItem['notes']; count: number }) {
  const t = useTranslations('adminReports')
  const tReporting = useTranslations('reporting')
  const format = useFormat()
  const more = count - notes.length
  return (
    <div>
      <FirstFew items={notes} few={FEW}>
        {(shown) => (
          <ul className="flex flex-col gap-2 text-sm">
            {shown.map(({ at, reason, text, username, address, isShared }) => (
              <li key={`${at} ${username ?? address}`} className="border-line border-l-2 pl-3">
                <p className="figures text-ink-soft">
                  {format.parts([
                    username ?? (address === null ? t('someone') : t('guest', { address })),
                    reasonName(reason, tReporting),
                    ...(isShared ? [t('throughShare')] : []),
                  ])}{' '}
                  <span className="whitespace-nowrap">
                    · <LocalDate iso={at} time />
                  </span>
                </p>
                {text && (
                  <p dir="auto" className="whitespace-pre-line wrap-anywhere">
                    {text}
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
      </FirstFew>
      {more > 0 && <p className="mt-2 text-sm text-ink-soft">{t('more', { count: more })}</p>}
    </div>
  )
}
