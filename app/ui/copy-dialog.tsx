'use client'

import { useTranslations } from 'use-intl/react'
import { Dialog } from './dialog.tsx'

const most = 8

/** Text that is selected, to be copied by the browser's own means. */
export default function CopyDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const t = useTranslations('ui')
  return (
    <Dialog title={t('copyBlockedTitle')} isOpen onClose={onClose}>
      <p className="text-sm text-ink-soft">{t('copyBlocked')}</p>
      <textarea
        readOnly
        autoFocus
        aria-label={t('copyBlockedText')}
        dir="ltr"
        value={text}
        rows={Math.min(most, Math.max(2, text.split('\n').length))}
        onFocus={({ currentTarget }) => currentTarget.select()}
        className="w-full resize-none rounded-md border border-line-strong bg-surface px-3 py-2 font-mono text-[0.8125rem] break-all text-ink"
      />
    </Dialog>
  )
}
