'use client'

import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'
import type { Backups } from './types.ts'

/** What the backup that is running does, and how far it is. */
export function RunProgress({ backups }: { backups: Backups }) {
  const t = useTranslations('adminBackups')
  const format = useFormat()
  const run = backups.runs.find(({ state }) => state === 'running')
  if (!run) return backups.isQueued ? <p role="status">{t('queued')}</p> : null
  const { step, objects, bytes, doneObjects, doneBytes } = run
  const share = step === 'rows' ? 0 : step === 'objects' ? (bytes === 0 ? 1 : doneBytes / bytes) : 1
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p role="status">{t(`step.${step}`)}</p>
      <progress aria-label={t(`step.${step}`)} max={1} value={share} className="sr-only" />
      <span aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-line">
        <span
          className="block h-full rounded-full bg-water transition-[width]"
          style={{ width: `${Math.min(1, share) * 100}%` }}
        />
      </span>
      {objects > 0 && (
        <p className="figures text-ink-soft">
          {t('progress', {
            ...{ done: doneObjects, objects },
            ...{ doneSize: format.bytes(doneBytes), size: format.bytes(bytes) },
          })}
        </p>
      )}
    </div>
  )
}
