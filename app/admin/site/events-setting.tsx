'use client'

import { useTranslations } from 'use-intl/react'
import { CheckGroup } from '#app/ui/check-row.tsx'
import { SettingRow, useSetting } from './setting.tsx'

/** The events that the webhook receives: at least one, all by default. */
export function EventsSetting() {
  const t = useTranslations('adminSite')
  const { value, defaultText, isDisabled, change } = useSetting('SLUICE_WEBHOOK_EVENTS')
  const all = defaultText.split(',')
  const chosen = value.split(',').map((name) => name.trim())
  const choose = (names: readonly string[]) => {
    const next = all.filter((name) => names.includes(name)).join(',')
    if (next !== '') change(next === defaultText ? '' : next)
  }
  return (
    <SettingRow setting="SLUICE_WEBHOOK_EVENTS" label={t('label.events')}>
      <CheckGroup
        label={t('label.events')}
        options={all.map((value) => ({ value, label: <code className="font-normal">{value}</code> }))}
        chosen={chosen}
        isDisabled={isDisabled}
        onChange={choose}
      />
    </SettingRow>
  )
}
