'use client'

import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'

/** Shows how much of a quota is used, in bytes. Changes colour at 90 %. */
export function StorageMeter({ used, quota }: { used: number; quota: number | null }) {
  const t = useTranslations('ui')
  const format = useFormat()
  if (quota === null) return <p className="figures">{t('storageUnlimited', { used: format.bytes(used) })}</p>
  const percent = quota === 0 ? 100 : Math.min(100, (used / quota) * 100)
  const figures = { used: format.bytes(used), quota: format.bytes(quota) }
  const text =
    used < quota ? t('storageFree', { ...figures, free: format.bytes(quota - used) }) : t('storageFull', figures)
  return (
    <div className="flex flex-col gap-1.5">
      <meter aria-label={t('storage')} aria-valuetext={text} max={100} value={percent} className="sr-only" />
      <span aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-line">
        <span
          className={`block h-full rounded-full ${used > 0 ? 'min-w-1' : ''} ${percent >= 90 ? 'bg-gate' : 'bg-water'}`}
          style={{ width: `${percent}%` }}
        />
      </span>
      <span className="figures text-sm">{text}</span>
    </div>
  )
}
