'use client'

import { useTranslations } from 'use-intl/react'
import { describeSkipped, type SkippedImage } from './many.ts'

/** Images that an action skipped, and why. Shown below a toast's title. */
export function SkippedImages({ skipped }: { skipped: readonly SkippedImage[] }) {
  const t = useTranslations('gallery')
  return (
    <ul aria-label={t('skipped')} className="mt-1 text-ink-soft">
      {describeSkipped(skipped, t).map((line) => (
        <li key={line} className="break-words">
          {line}
        </li>
      ))}
    </ul>
  )
}
