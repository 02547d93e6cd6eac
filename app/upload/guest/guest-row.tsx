'use client'

import { useTranslations } from 'use-intl/react'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { ProblemText } from '../problem-text.tsx'
import { GuestLinks } from './guest-links.tsx'
import type { GuestFile } from './use-guest-files.ts'

/** A file that is being sent, what it has become, or why it was refused. */
export function GuestRow({ file, onAgain }: { file: GuestFile; onAgain: () => void }) {
  const t = useTranslations('guestUpload')
  const format = useFormat()
  const { state } = file
  const { name, size } = file.file
  const { error, canRetry } = state.kind === 'failed' ? state : { error: null, canRetry: false }
  const isHeldBack = useHeldBack(error)
  return (
    <li className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span dir="auto" className="min-w-0 font-medium wrap-anywhere">
          {name}
        </span>
        <span className="figures text-sm text-ink-soft">{format.bytes(size)}</span>
      </p>
      {state.kind === 'waiting' && <p className="text-sm text-ink-soft">{t('waiting')}</p>}
      {state.kind === 'sending' && (
        <div className="flex flex-col gap-1">
          <progress aria-label={t('progress', { name })} value={state.part} max={1} className="h-2 w-full accent-ink" />
          {state.part >= 1 && <p className="text-sm text-ink-soft">{t('checking')}</p>}
        </div>
      )}
      {state.kind === 'bad' && (
        <Notice tone="danger">
          <ProblemText problem={state.problem} size={size} />
        </Notice>
      )}
      {error && (
        <>
          <FormFailure error={error} />
          {canRetry && (
            <Button size="small" isDisabled={isHeldBack} onPress={onAgain} className="self-start">
              {t('again')}
            </Button>
          )}
        </>
      )}
      {state.kind === 'done' && (
        <GuestLinks
          page={new URL(`/image/${state.image.slug}`, state.image.url).href}
          deletion={state.image.deletionUrl}
          endsAt={state.image.endsAt}
          awaits={state.image.awaitsApproval}
        />
      )}
    </li>
  )
}
