'use client'

import { Download } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'

/** What a button for the original says. Where there is no room for the size, it wraps out of sight. */
export function DownloadLabel({ size }: { size: number }) {
  const t = useTranslations('image')
  const format = useFormat()
  return (
    <>
      <Download size={17} className="shrink-0" />
      <span className="flex h-6 min-w-0 flex-wrap justify-center gap-x-2 overflow-hidden leading-6">
        {t('download')} <span className="figures font-normal opacity-70">{format.bytes(size)}</span>
      </span>
    </>
  )
}
