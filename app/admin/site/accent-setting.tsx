'use client'

import { useTranslations } from 'use-intl/react'
import { Field } from '#app/ui/field.tsx'
import { accentShades } from '#format/accent.ts'
import { SettingRow, useSetting } from './setting.tsx'

const HEX = /^#[0-9a-f]{6}$/i

/** Returns the colour that a text spells; null while it spells none. */
export const spelledColour = (text: string): string | null => (HEX.test(text.trim()) ? text.trim().toLowerCase() : null)

/** Where the colour picker begins: the hue of Sluice's own. */
const START = '#0f6b7c'

/** The accent colour, picked or typed, and the shades that pages make of it. */
export function AccentSetting() {
  const t = useTranslations('adminSite')
  const { text, isDisabled, error, change } = useSetting('SLUICE_ACCENT')
  const colour = spelledColour(text)
  const label = t('label.accent')
  return (
    <SettingRow setting="SLUICE_ACCENT" label={label}>
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <Field
            label={label}
            hint={colour ? t('hint.accentShades', accentShades(colour).accent) : t('hint.accent')}
            error={error && `${error} ${t('hint.accent')}`}
            value={text}
            onChange={change}
            placeholder={START}
            isDisabled={isDisabled}
            isVerbatim
            maxLength={7}
          />
        </div>
        <input
          type="color"
          aria-label={t('pickColour')}
          value={colour ?? START}
          disabled={isDisabled}
          onChange={(event) => change(event.target.value)}
          className="mt-6.5 h-10 w-14 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-1 disabled:opacity-45"
        />
      </div>
    </SettingRow>
  )
}
