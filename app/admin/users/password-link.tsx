'use client'

import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'
import { LocalDate } from '#app/ui/moment.tsx'

interface Props {
  readonly username: string
  readonly link: { readonly url: string; readonly expiresAt: string }
  readonly onClose: () => void
}

/** Shows a link that sets a user's password, once, for an administrator to hand over. */
export function PasswordLink({ username, link: { url, expiresAt }, onClose }: Props) {
  const t = useTranslations('adminUsers')
  return (
    <div role="status" className="flex flex-col gap-4">
      <p className="text-sm text-ink-soft">
        {t.rich('linkText', { username, date: () => <LocalDate iso={expiresAt} time /> })}
      </p>
      <div className="flex items-center gap-3 rounded-md border border-water bg-water-soft py-1.5 pr-1.5 pl-3">
        <output aria-label={t('link')} className="min-w-0 flex-1 font-mono text-[0.8125rem] break-all">
          {url}
        </output>
        <CopyButton text={url} label={t('copyLink')} word={t('copy')} autoFocus />
      </div>
      <DialogActions>
        <Button tone="primary" onPress={onClose}>
          {t('done')}
        </Button>
      </DialogActions>
    </div>
  )
}
