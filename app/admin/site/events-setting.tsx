'use client'

import { Check } from 'lucide-react'
import { Checkbox, CheckboxGroup } from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import { FieldLabel } from '#app/ui/aria-field.tsx'
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
      <CheckboxGroup value={chosen} onChange={choose} isDisabled={isDisabled} className="flex flex-col gap-1.5">
        <FieldLabel>{t('label.events')}</FieldLabel>
        <div className="overflow-hidden rounded-md border border-line bg-surface">
          {all.map((name) => (
            <Checkbox
              key={name}
              value={name}
              className="group flex cursor-pointer items-center gap-3 border-line px-3 py-2 font-mono text-[0.8125rem] not-last:border-b hover:bg-hover focus-visible:-outline-offset-2 disabled:opacity-45"
            >
              <span className="grid size-4 shrink-0 place-items-center rounded-sm border-2 border-line-strong group-selected:border-water group-selected:bg-water group-selected:text-on-water">
                <Check size={12} strokeWidth={3.5} className="hidden group-selected:block" />
              </span>
              {name}
            </Checkbox>
          ))}
        </div>
      </CheckboxGroup>
    </SettingRow>
  )
}
