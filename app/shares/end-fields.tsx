import { useTranslations } from 'use-intl/react'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/select.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { type Draft, type End, ends, type Problems, type ShareItem } from './draft.ts'

interface Props {
  draft: Draft
  set: (change: Partial<Draft>) => void
  share: ShareItem | null
  problems: Problems | null
}

/** When a share ends: at a time, and after a number of views. */
export function EndFields({ draft, set, share, problems }: Props) {
  const t = useTranslations('sharing')
  const format = useFormat()
  const expiresAt = share?.expiresAt ?? null
  const choices: readonly { readonly value: End; readonly label: string }[] = [
    ...(expiresAt === null
      ? []
      : [{ value: 'kept', label: t('end.kept', { date: format.date(expiresAt, { time: true }) }) } as const]),
    ...ends.map((value) => ({ value, label: t(`end.${value}`) })),
  ]
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label={t('ends')} value={draft.end} options={choices} onChange={(end) => set({ end })} />
        <Field
          label={t('views')}
          value={draft.views}
          onChange={(views) => set({ views })}
          error={problems?.views && t(problems.views)}
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
      {draft.end === 'date' && (
        <Field
          label={t('endAt')}
          type="datetime-local"
          value={draft.endAt}
          onChange={(endAt) => set({ endAt })}
          error={problems?.endAt && t(problems.endAt)}
          isRequired
        />
      )}
      <p className="-mt-2 text-sm text-ink-soft">{t('viewsHint')}</p>
    </>
  )
}
