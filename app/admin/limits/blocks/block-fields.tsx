'use client'

import { useTranslations } from 'use-intl/react'
import { Field } from '#app/ui/field.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { Select } from '#app/ui/select.tsx'
import { useConsole } from '../console.tsx'
import { SubjectField } from '../subjects/subject-field.tsx'
import { isHolder, isOneAddress } from '../subjects/subject-text.ts'
import type { OverrideTarget } from '../types.ts'

const HOUR_MS = 3_600_000
/** How long a block may last, in milliseconds. */
export const lengths = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 168 * HOUR_MS,
  month: 720 * HOUR_MS,
  year: 8_760 * HOUR_MS,
}
type Length = keyof typeof lengths
const choices = ['hour', 'day', 'week', 'month', 'year'] as const satisfies readonly Length[]

/** What is typed into the form. */
export interface Draft {
  /** Somebody, or the value of an argument, whoever sends it. */
  readonly kind: 'subject' | 'argument'
  readonly subject: string | null
  readonly name: string | null
  readonly value: string
  /** The rule set; '' for everything. */
  readonly from: string
  readonly length: Length
  readonly note: string
}

export type Target = Exclude<OverrideTarget, { kind: 'all' | 'role' | 'trial' }>

/** Whom or what it blocks; null while that is missing. */
export function targetIn({ kind, subject, value }: Draft): Target | null {
  if (kind === 'argument') return value.trim() === '' ? null : { kind, value: value.trim() }
  return subject === null ? null : { kind, subject }
}

interface FieldsProps {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
  isChecked: boolean
}

/** Whom or what a block is for, from what, for how long and why. */
export function BlockFields(props: FieldsProps) {
  const t = useTranslations('adminBlocks')
  const { ruleSets } = useConsole().list
  const { draft, onChange, isChecked } = props
  const begin = (kind: Draft['kind']) => {
    const from = kind === 'subject' ? '' : (ruleSets.find(({ targets }) => targets.includes(kind))?.name ?? '')
    onChange({ kind, from })
  }
  return (
    <>
      <Segments
        label={t('whom')}
        value={draft.kind}
        options={kinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
        onChange={begin}
      />
      {draft.kind === 'subject' ? (
        <SubjectField {...draft} onChange={(subject, name) => onChange({ subject, name })} isChecked={isChecked} />
      ) : (
        <Field
          label={t('value')}
          hint={t('valueHint')}
          value={draft.value}
          onChange={(value) => onChange({ value })}
          error={isChecked && draft.value.trim() === '' ? t('valueMissing') : null}
          maxLength={200}
          isVerbatim
        />
      )}
      <Extent {...props} />
      <Field
        label={t('note')}
        hint={t('noteHint')}
        value={draft.note}
        onChange={(note) => onChange({ note })}
        maxLength={300}
      />
    </>
  )
}

const kinds = ['subject', 'argument'] as const

/** From what it blocks and for how long. */
function Extent({ draft, onChange }: FieldsProps) {
  const t = useTranslations('adminBlocks')
  const { kind, from, length } = draft
  const target = targetIn(draft)
  const names = useConsole().list.ruleSets.flatMap(({ name, targets }) => (targets.includes(kind) ? name : []))
  const sets = names.map((name) => ({ value: name, label: name }))
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={t('blockFrom')}
          value={from}
          options={kind === 'subject' ? [{ value: '', label: t('everything') }, ...sets] : sets}
          onChange={(to) => onChange({ from: to })}
        />
        {from !== '' && (
          <Select<Length>
            label={t('blockFor')}
            value={length}
            options={choices.map((each) => ({ value: each, label: t(`durations.${each}`) }))}
            onChange={(to) => onChange({ length: to })}
          />
        )}
      </div>
      {from === '' && target && <p className="text-sm text-ink-soft">{t(meaning[kindOf(target)])}</p>}
    </>
  )
}

const meaning = { user: 'everyUser', address: 'everyAddress', other: 'everyOther' } as const

/** What can be blocked from everything. */
export function kindOf(target: Target): keyof typeof meaning {
  if (target.kind === 'argument' || isHolder(target.subject)) return 'other'
  const { subject } = target
  if (!isOneAddress(subject)) return /^[0-9a-f-]{36}$/.test(subject) ? 'user' : 'other'
  // One address of a shared account ends in its ID.
  return /:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(subject) ? 'other' : 'address'
}
