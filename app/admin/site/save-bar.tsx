'use client'

import { useTranslations } from 'use-intl/react'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import type { CallFailure } from '#app/limits/message.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { useLabels } from './labels.ts'
import type { Setting } from './types.ts'

interface Props {
  count: number
  isSaving: boolean
  failure: CallFailure | null
  hasInvalid: boolean
  /** What somebody else has changed since the edit began. */
  conflict: { readonly by: string | null; readonly settings: readonly Setting[] } | null
  onDiscard: () => void
}

/** Shown while there are changes: saves or discards them. */
export function SaveBar({ count, isSaving, failure, hasInvalid, conflict, onDiscard }: Props) {
  const t = useTranslations('adminSite')
  const format = useFormat()
  const labels = useLabels()
  const isHeldBack = useHeldBack(failure)
  const others = format.parts(conflict?.settings.map((setting) => labels[setting]) ?? [])
  return (
    <div className="sticky bottom-16 z-10 -mx-4 flex flex-col gap-3 border-t border-line bg-ground/95 px-4 py-3 backdrop-blur-md sm:bottom-0 sm:-mx-6 sm:px-6">
      {conflict && <Notice tone="danger">{t('conflict', { by: conflict.by ?? '', settings: others })}</Notice>}
      {hasInvalid ? <Notice tone="danger">{t('someInvalid')}</Notice> : <FormFailure error={failure} />}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p role="status" className="mr-auto text-sm text-ink-soft">
          {t('unsaved', { count })}
        </p>
        <Button onPress={onDiscard} isDisabled={isSaving}>
          {t('discard')}
        </Button>
        <Button type="submit" tone="primary" isPending={isSaving} isDisabled={isHeldBack}>
          {conflict ? t('saveAnyway') : t('save')}
        </Button>
      </div>
    </div>
  )
}
