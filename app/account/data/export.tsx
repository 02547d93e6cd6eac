'use client'

import { Download } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { LateRefusal } from '#app/limits/late-refusal.tsx'
import { useErrorMessage } from '#app/limits/use-error-message.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { useExport } from './use-export.ts'

/** Downloads everything that belongs to the account. */
export function Export() {
  const t = useTranslations('ownData')
  const errorMessage = useErrorMessage()
  const { state, progress, start, resume, cancel } = useExport()
  const isBusy = state.kind === 'running' || state.kind === 'waiting'
  const canResume = !isBusy && progress.part > 1
  return (
    <div className="flex max-w-md flex-col items-start gap-4">
      <p className="text-sm">{t('exportText')}</p>
      {state.kind === 'running' && <Progress state={state} before={progress} />}
      {state.kind === 'waiting' && (
        <LateRefusal refusal={state.refusal} resumes onOver={resume} className="w-full" />
      )}
      {state.kind === 'failed' && <Notice tone="danger">{errorMessage(state.error)}</Notice>}
      {state.kind === 'done' && (
        <p role="status" className="text-sm font-medium">
          {t('exported', { parts: state.parts })}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {isBusy && <Button onPress={cancel}>{t('stop')}</Button>}
        {canResume && (
          <Button tone="primary" onPress={resume}>
            <Download size={17} /> {t('resume', { part: progress.part })}
          </Button>
        )}
        {!isBusy && (
          <Button onPress={start}>
            {!canResume && <Download size={17} />} {t(canResume ? 'startAgain' : 'export')}
          </Button>
        )}
      </div>
    </div>
  )
}

interface ProgressProps {
  state: Extract<ReturnType<typeof useExport>['state'], { kind: 'running' }>
  before: { readonly images: number; readonly bytes: number }
}

function Progress({ state: { part, received, total }, before }: ProgressProps) {
  const t = useTranslations('ownData')
  const format = useFormat()
  const bytes = Math.min(before.bytes + received, total?.bytes ?? Number.POSITIVE_INFINITY)
  const percent = total && total.bytes > 0 ? (bytes / total.bytes) * 100 : 0
  const text = total
    ? t('progress', { part, done: format.bytes(bytes), total: format.bytes(total.bytes) })
    : t('preparing', { part })
  return (
    <div className="flex w-full flex-col gap-1.5">
      <progress aria-label={t('export')} aria-valuetext={text} max={100} value={percent} className="sr-only" />
      <span aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-line">
        <span className="block h-full min-w-1 rounded-full bg-water" style={{ width: `${percent}%` }} />
      </span>
      <span className="figures text-sm">{text}</span>
    </div>
  )
}
