'use client'

import { ChartColumn, ImageOff, Pencil, QrCode } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { toPath } from '#app/shell/safe-path.ts'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { late } from '#app/ui/late.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import type { ShareItem } from './draft.ts'
import { ShareFacts } from './share-facts.tsx'
import { ShareLink } from './share-link.tsx'
import { useRevoke } from './use-revoke.ts'

const ChangeDialog = late(() => import('./change-dialog.tsx'))
const ShareUse = late(() => import('./share-use.tsx'))

/** A share with its link, what it allows, what it was used for, and what its owner can do with it. */
export function ShareRow({ share }: { share: ShareItem }) {
  const t = useTranslations('sharing')
  const format = useFormat()
  const [open, setOpen] = useState<'change' | 'link' | 'revoke' | null>(null)
  const [showsUse, setShowsUse] = useState(false)
  const revoke = useRevoke()
  const close = () => setOpen(null)
  const { id, url, title, album, createdAt, ended, today, owner } = share
  const name = title || album?.title || t('untitled', { date: format.date(createdAt, { time: false }) })
  return (
    <li className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <Pictures share={share} />
        <div className="flex min-w-0 flex-1 basis-56 flex-col gap-1 text-sm">
          <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base font-semibold">
            <span dir="auto" className="wrap-anywhere">
              {title || (album ? t('album', { title: album.title }) : t('images', { count: share.count }))}
            </span>
            {ended && <Tag tone="danger">{t(`ended.${ended}`)}</Tag>}
          </h2>
          {owner && <p className="text-ink-soft">{t('by', { username: owner.username })}</p>}
          <ShareFacts share={share} />
          <p className="figures text-ink-soft">
            {today
              ? t('today', { visitors: today.visitors, requests: today.requests, bytes: format.bytes(today.bytes) })
              : t('unused')}
          </p>
        </div>
        <div className="flex flex-wrap gap-1.5">
          {url && !ended && <CopyButton text={url} label={t('copyLink')} word={t('copyLink')} />}
          {url && !ended && (
            <Button size="small" onPress={() => setOpen('link')}>
              <QrCode size={16} /> {t('qr')}
            </Button>
          )}
        </div>
      </div>
      {today?.spentAt ? (
        <Notice tone="danger">{t('spent', { count: today.refused })}</Notice>
      ) : (
        today?.nearAt && <Notice tone="gate">{t('near')}</Notice>
      )}
      <div className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
        <Button
          tone="quiet"
          size="small"
          aria-expanded={showsUse}
          aria-label={t('useOf', { name })}
          onPress={() => setShowsUse(!showsUse)}
        >
          <ChartColumn size={16} /> {t('use')}
        </Button>
        <Button tone="quiet" size="small" aria-label={t('changeNamed', { name })} onPress={() => setOpen('change')}>
          <Pencil size={16} /> {t('change')}
        </Button>
        <Button
          tone="quiet-danger"
          size="small"
          aria-label={t('revokeNamed', { name })}
          isPending={revoke.isPending}
          onPress={() => setOpen('revoke')}
        >
          {t('revoke')}
        </Button>
        <span className="ml-auto text-xs text-ink-soft">
          {t.rich('createdAt', { date: () => <LocalDate iso={createdAt} /> })}
        </span>
      </div>
      {url === null && <p className="text-sm text-ink-soft">{owner ? t('others') : t('gone')}</p>}
      {showsUse && <ShareUse id={id} />}
      {open === 'change' && <ChangeDialog share={share} onClose={close} />}
      <Dialog title={t('link')} isOpen={open === 'link' && url !== null} onClose={close}>
        {url && <ShareLink url={url} title={title} isNew={false} onClose={close} />}
      </Dialog>
      <Confirm
        isOpen={open === 'revoke'}
        title={t('revokeTitle')}
        action={t('revokeShare')}
        onClose={close}
        onConfirm={() => revoke.mutate({ id })}
      >
        {t('revokeText')}
      </Confirm>
    </li>
  )
}

/** The first images of a share. */
function Pictures({ share: { thumbnails } }: { share: ShareItem }) {
  const [first, ...more] = thumbnails
  if (first === undefined) {
    return (
      <span className="grid size-16 shrink-0 place-items-center rounded-md bg-sunken text-ink-soft">
        <ImageOff size={20} />
      </span>
    )
  }
  return (
    <span className="flex shrink-0 gap-1">
      {[first, ...more].map((url, at) => (
        <img
          key={url}
          src={toPath(url)}
          alt=""
          loading="lazy"
          className={`size-16 rounded-md bg-sunken object-cover ${at > 0 ? 'max-sm:hidden' : ''}`}
        />
      ))}
    </span>
  )
}
