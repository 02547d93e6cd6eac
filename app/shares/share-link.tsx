'use client'

import { QrCode, Send } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'
import { late } from '#app/ui/late.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { useShareSheet } from '#app/ui/use-share-sheet.ts'

const Qr = late(() => import('#app/ui/qr.tsx'))

interface Props {
  url: string
  title: string
  /** Whether a way to the page Shares is offered. */
  isNew?: boolean
  onClose: () => void
}

/** A share's link: to copy, as a QR code, and for the device's own share sheet. */
export function ShareLink({ url, title, isNew = true, onClose }: Props) {
  const t = useTranslations('sharing')
  const [hasQr, setQr] = useState(!isNew)
  const send = useShareSheet(() => toast({ title: t('sendFailed') }))
  return (
    <>
      <div className="flex items-center gap-3 rounded-md border border-water bg-water-soft py-1.5 pr-1.5 pl-3">
        <output aria-label={t('link')} dir="ltr" className="min-w-0 flex-1 font-mono text-sm break-all">
          {url}
        </output>
        <CopyButton text={url} label={t('copyLink')} word={t('copy')} autoFocus />
      </div>
      <div className="flex flex-wrap gap-2">
        {!hasQr && (
          <Button size="small" onPress={() => setQr(true)}>
            <QrCode size={16} /> {t('qr')}
          </Button>
        )}
        {send && (
          <Button size="small" onPress={() => void send({ url, ...(title && { title }) })}>
            <Send size={16} /> {t('send')}
          </Button>
        )}
      </div>
      {hasQr && (
        <Qr standIn={<span className="aspect-square w-full max-w-64 self-center" />} text={url} label={t('qrOf')} />
      )}
      <DialogActions>
        {isNew && (
          <Link href="/shares" prefetch={false} onClick={onClose} className={buttonClass('plain')}>
            {t('all')}
          </Link>
        )}
        <Button tone="primary" onPress={onClose}>
          {t('done')}
        </Button>
      </DialogActions>
    </>
  )
}
