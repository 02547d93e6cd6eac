'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Radio, RadioGroup } from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import { type ImageItem, useTRPC, type Visibility } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { useSession } from '#app/shell/session.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { ownerName } from '#app/ui/owner-name.ts'
import type { Translate } from '#app/ui/translate.ts'
import { useFormat } from '#app/ui/use-format.ts'
import { isVisibility, visibilities, visibilityIcons } from './visibilities.ts'

function hint(visibility: Visibility, { mine, owner }: ImageItem, gallery: boolean, t: Translate<'image'>): string {
  if (visibility === 'link') return t('linkHint')
  if (visibility === 'public') return gallery ? t('publicHint') : t('publicHintOff')
  return mine ? t('privateHintMine') : t('privateHint', { owner: ownerName(owner) ?? '' })
}

/** Sets the visibility of the image. Asks before it becomes private: an arrow key is enough to choose that, and that deletes the link permanently. */
export function VisibilityChoice({ image, onChange }: { image: ImageItem; onChange: (image: ImageItem) => void }) {
  const t = useTranslations('image')
  const format = useFormat()
  const { gallery } = useSession()
  const [isAsking, setAsking] = useState(false)
  const trpc = useTRPC()
  const update = useMutation(trpc.image.update.mutationOptions({ onSuccess: onChange }))
  const isHeldBack = useHeldBack(update.error)
  const shown = update.isPending ? (update.variables.visibility ?? image.visibility) : image.visibility
  const set = (visibility: Visibility) => update.mutate({ id: image.id, visibility })
  const choose = (value: string) => {
    if (!isVisibility(value)) return
    if (value === 'private') setAsking(true)
    else set(value)
  }
  return (
    <>
      <RadioGroup
        aria-label={t('visibility')}
        value={shown}
        isDisabled={isHeldBack}
        onChange={choose}
        className="overflow-hidden rounded-md border border-line bg-surface"
      >
        {visibilities.map((visibility) => {
          const Icon = visibilityIcons[visibility]
          return (
            <Radio
              key={visibility}
              value={visibility}
              className="group flex cursor-pointer items-start gap-3 border-line px-3 py-2.5 not-last:border-b hover:bg-hover selected:bg-water-soft focus-visible:-outline-offset-2 disabled:opacity-60"
            >
              <Icon size={17} className="mt-0.5 shrink-0 text-ink-soft group-selected:text-water" />
              <span className="min-w-0 text-sm">
                <span className="block font-medium">{t(`visibilityName.${visibility}`)}</span>
                <span className="block leading-snug text-ink-soft">
                  {format.sentences([
                    hint(visibility, image, gallery, t),
                    ...(visibility === 'private' && shown !== 'private' ? [t('linkEnds')] : []),
                  ])}
                </span>
              </span>
            </Radio>
          )
        })}
      </RadioGroup>
      <FormFailure error={update.error} />
      <Confirm
        isOpen={isAsking}
        title={t('makePrivateTitle')}
        action={t('makePrivate')}
        onClose={() => setAsking(false)}
        onConfirm={() => set('private')}
      >
        {t('linkEnds')}
      </Confirm>
    </>
  )
}
