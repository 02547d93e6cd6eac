'use client'

import { Download } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import type { ShownFilter } from './shown-filter.ts'
import { useAuditExport } from './use-audit-export.ts'

/** Downloads what the filter finds. */
export function ExportButtons({ filter }: { filter: ShownFilter }) {
  const t = useTranslations('audit')
  const { entries, start, cancel } = useAuditExport(filter)
  if (entries !== null) {
    return (
      <div role="status" className="flex flex-wrap items-center gap-3 text-sm text-ink-soft">
        {t('exporting', { count: entries })}
        <Button size="small" onPress={cancel}>
          {t('cancelExport')}
        </Button>
      </div>
    )
  }
  return (
    <div className="flex gap-2">
      {(['csv', 'json'] as const).map((format) => (
        <Button key={format} size="small" onPress={() => start(format)}>
          <Download size={16} aria-hidden="true" /> {t('exportAs', { format: format.toUpperCase() })}
        </Button>
      ))}
    </div>
  )
}
