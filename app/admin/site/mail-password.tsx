'use client'

import { useTranslations } from 'use-intl/react'
import { PasswordField } from '#app/ui/field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { SettingRow, useSetting } from './setting.tsx'

/** The password of the mail server, which is entered and never shown. The server returns a mark where there is one. */
export function MailPassword() {
  const t = useTranslations('adminSite')
  const { view, text, isDisabled, error, change } = useSetting('SLUICE_MAIL_PASSWORD')
  const mark = view.texts.SLUICE_MAIL_PASSWORD ?? ''
  const isStored = text !== '' && text === mark
  const label = t('label.mailPassword')
  return (
    <SettingRow setting="SLUICE_MAIL_PASSWORD" label={label}>
      <div className="flex flex-col gap-3">
        <PasswordField
          label={label}
          hint={isStored ? t('hint.mailPasswordStored') : t('hint.mailPassword')}
          error={error}
          value={isStored ? '' : text}
          onChange={(typed) => change(typed === '' ? mark : typed)}
          autoComplete="new-password"
          isDisabled={isDisabled}
        />
        {isStored && view.hasEndedMailPassword && <Notice tone="danger">{t('mailPasswordEnded')}</Notice>}
      </div>
    </SettingRow>
  )
}
