'use client'

import { Field } from '#app/ui/field.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { SettingRow, useSetting } from './setting.tsx'
import type { Setting } from './types.ts'

interface TextProps {
  setting: Setting
  label: string
  hint: string
  /** For values rather than words. */
  isVerbatim?: boolean
  inputMode?: 'numeric' | 'url'
}

/** A setting that is typed. Empty is the default, which the field shows as its placeholder. */
export function TextSetting({ setting, label, hint, isVerbatim = false, inputMode }: TextProps) {
  const { text, defaultText, isDisabled, error, change } = useSetting(setting)
  return (
    <SettingRow setting={setting} label={label}>
      <Field
        label={label}
        hint={hint}
        error={error && `${error} ${hint}`}
        value={text}
        onChange={change}
        placeholder={defaultText}
        isDisabled={isDisabled}
        isVerbatim={isVerbatim}
        {...(inputMode && { inputMode })}
      />
    </SettingRow>
  )
}

interface ChoiceProps<T extends string> {
  setting: Setting
  label: string
  hint: string
  options: readonly { value: T; label: string }[]
}

/** A setting that is chosen. Choosing the default returns to it. */
export function ChoiceSetting<T extends string>({ setting, label, hint, options }: ChoiceProps<T>) {
  const { value, defaultText, isDisabled, error, change } = useSetting(setting)
  const chosen = options.find((option) => option.value === value) ?? options[0]
  return (
    <SettingRow setting={setting} label={label}>
      <fieldset className="flex min-w-0 flex-col gap-1.5">
        <legend className="mb-1.5 text-sm font-medium">{label}</legend>
        {chosen && (
          <Segments
            label={label}
            value={chosen.value}
            options={options}
            isDisabled={isDisabled}
            onChange={(next) => change(next === defaultText ? '' : next)}
          />
        )}
        <p className={`text-sm ${error ? 'text-danger' : 'text-ink-soft'}`}>{error ?? hint}</p>
      </fieldset>
    </SettingRow>
  )
}
