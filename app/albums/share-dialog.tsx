'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type AlbumItem, useTRPC, type Visibility } from '#app/connection/trpc.ts'
import { visibilities, visibilityIcons } from '#app/image/visibilities.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { toPath } from '#app/shell/safe-path.ts'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { inputClass } from '#app/ui/input-class.ts'
import { HiddenNotice } from './hidden-notice.tsx'
import { useAlbumCache } from './use-albums.ts'

interface Props {
  album: AlbumItem
  onClose: () => void
}

/** Who may see the album, its link, and how many of its images stay hidden. */
export default function ShareDialog({ album, onClose }: Props) {
  const t = useTranslations('albums')
  return (
    <Dialog title={t('shareTitle', { title: album.title })} isOpen onClose={onClose}>
      <Sharing album={album} />
    </Dialog>
  )
}

function Sharing({ album }: { album: AlbumItem }) {
  const t = useTranslations('albums')
  const trpc = useTRPC()
  const cache = useAlbumCache()
  const [isAsking, setAsking] = useState(false)
  const update = useMutation(trpc.album.update.mutationOptions({ onSuccess: cache.put }))
  const isHeldBack = useHeldBack(update.error)
  const shown = update.isPending ? (update.variables.visibility ?? album.visibility) : album.visibility
  const set = (visibility: Visibility) => {
    setAsking(false)
    update.mutate({ id: album.id, visibility })
  }
  const choose = (visibility: Visibility) => (visibility === 'private' ? setAsking(true) : set(visibility))
  // The address under which this page is open, which need not be the configured one.
  const url = new URL(toPath(album.url), window.location.origin).href
  return (
    <>
      <fieldset disabled={isHeldBack} className="overflow-hidden rounded-md border border-line bg-surface">
        <legend className="sr-only">{t('whoSees')}</legend>
        {visibilities.map((visibility) => {
          const Icon = visibilityIcons[visibility]
          return (
            <label
              key={visibility}
              className="group relative flex cursor-pointer items-start gap-3 border-line px-3 py-2.5 not-last:border-b hover:bg-hover has-checked:bg-water-soft has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-water has-disabled:opacity-60"
            >
              <input
                type="radio"
                name="album-visibility"
                checked={visibility === shown}
                onChange={() => choose(visibility)}
                className="absolute inset-0 cursor-pointer appearance-none outline-none"
              />
              <Icon size={17} className="mt-0.5 shrink-0 text-ink-soft group-has-checked:text-water" />
              <span className="min-w-0 text-sm">
                <span className="block font-medium">{t(`visibilityName.${visibility}`)}</span>
                <span className="block leading-snug text-ink-soft">{t(`hint.${visibility}`)}</span>
              </span>
            </label>
          )
        })}
      </fieldset>
      {isAsking && (
        <div role="alert" className="flex flex-col gap-3 rounded-md bg-danger-soft p-3 text-sm">
          <p>{t('linkEnds')}</p>
          <div className="flex flex-wrap gap-2">
            <Button tone="danger" size="small" onPress={() => set('private')} autoFocus>
              {t('makePrivate')}
            </Button>
            <Button size="small" onPress={() => setAsking(false)}>
              {t('cancel')}
            </Button>
          </div>
        </div>
      )}
      <FormFailure error={update.error} />
      {shown !== 'private' && (
        <>
          <p className="text-sm text-ink-soft">{t('imagesKeep')}</p>
          <HiddenNotice album={album} />
          <div className="flex items-center gap-2">
            <input
              readOnly
              aria-label={t('link')}
              value={url}
              onFocus={({ currentTarget }) => currentTarget.select()}
              className={`${inputClass} text-sm`}
            />
            <CopyButton text={url} label={t('copyLink')} word={t('copyLink')} />
          </div>
        </>
      )}
    </>
  )
}
