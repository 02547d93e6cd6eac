import { useTranslations } from 'use-intl/react'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/select.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { type Draft, type Preset, type Problems, presetNames, presets } from './draft.ts'

interface Props {
  draft: Draft
  set: (change: Partial<Draft>) => void
  problems: Problems | null
}

/** The limits of a link, by whom it is for, or as numbers. */
export function LimitFields({ draft, set, problems }: Props) {
  const t = useTranslations('sharing')
  return (
    <div className="flex flex-col gap-2">
      <Select
        label={t('limits')}
        value={draft.preset}
        options={presetNames.map((value) => ({ value, label: t(`preset.${value}`) }))}
        onChange={(preset) => set({ preset })}
      />
      {draft.preset === 'own' ? (
        <div className="grid gap-3 sm:grid-cols-3">
          <Field
            label={t('requestsPerHour')}
            value={draft.requestsPerHour}
            onChange={(requestsPerHour) => set({ requestsPerHour })}
            error={problems?.requestsPerHour && t(problems.requestsPerHour)}
            inputMode="numeric"
            autoComplete="off"
          />
          <Field
            label={t('requestsPerDay')}
            value={draft.requestsPerDay}
            onChange={(requestsPerDay) => set({ requestsPerDay })}
            error={problems?.requestsPerDay && t(problems.requestsPerDay)}
            inputMode="numeric"
            autoComplete="off"
          />
          <Field
            label={t('bytesPerDay')}
            placeholder={t('bytesHint')}
            value={draft.bytesPerDay}
            onChange={(bytesPerDay) => set({ bytesPerDay })}
            error={problems?.bytesPerDay && t(problems.bytesPerDay)}
            isVerbatim
            autoComplete="off"
          />
        </div>
      ) : (
        <PresetHint preset={draft.preset} />
      )}
      <p className="text-sm text-ink-soft">{t('limitsHint')}</p>
    </div>
  )
}

function PresetHint({ preset }: { preset: Exclude<Preset, 'own'> }) {
  const t = useTranslations('sharing')
  const format = useFormat()
  const { requestsPerHour: hour, requestsPerDay: day, bytesPerDay: bytes } = presets[preset]
  return (
    <p className="figures text-sm font-medium">
      {bytes === null ? t('openHint') : t('presetHint', { hour, day, bytes: format.bytes(bytes) })}
    </p>
  )
}
