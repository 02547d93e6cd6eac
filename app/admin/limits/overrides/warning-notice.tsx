'use client'

import { useTranslations } from 'use-intl/react'
import { Notice } from '#app/ui/notice.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { type OverrideWarning, overrideWarningText } from './warning-text.ts'

/** What rules would do that is probably not meant, before they are saved. */
export function WarningNotice({ warnings }: { warnings: readonly OverrideWarning[] }) {
  const t = useTranslations('adminOverrides')
  const format = useFormat()
  if (warnings.length === 0) return null
  return (
    <div role="alert">
      <Notice tone="gate">
        {format.sentences([...warnings.map((warning) => overrideWarningText(t, format, warning)), t('warned')])}
      </Notice>
    </div>
  )
}
