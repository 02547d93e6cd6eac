'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl/react'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/select.tsx'
import { saveSlot } from '../changes/slot.ts'
import { useOverrideSlot } from '../changes/use-slots.ts'
import { useConsole } from '../console.tsx'
import { SubjectField } from '../subjects/subject-field.tsx'
import { isHolder, isOneAddress, namedSubject } from '../subjects/subject-text.ts'
import type { Subject } from '../types.ts'
import { type BlockOf, useBlockActions } from './use-block-actions.ts'

const HOUR_MS = 3_600_000
const lengths = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS, year: 8_760 * HOUR_MS }
type Length = keyof typeof lengths
const choices = ['hour', 'day', 'week', 'month', 'year'] as const satisfies readonly Length[]

/** What is typed into the form. */
interface Draft {
  readonly subject: string | null
  readonly name: string | null
  /** The rule set; '' for everything. */
  readonly from: string
  readonly length: Length
  readonly note: string
}

interface Props {
  /** The set that it begins with; everything without one. */
  ruleSet?: string
  subject?: Pick<Subject, 'key' | 'name'>
  onClose: () => void
}

/** Blocks somebody from a rule set for a while, or from everything until the block is lifted. */
export function BlockDialog({ ruleSet = '', subject: begun, onClose }: Props) {
  const t = useTranslations('adminBlocks')
  const [draft, setDraft] = useState<Draft>({
    ...{ subject: begun?.key ?? null, name: begun?.name ?? null },
    ...{ from: ruleSet, length: 'day', note: '' },
  })
  const [isChecked, setChecked] = useState(false)
  const blocking = useBlocking(onClose)
  const isHeldBack = useHeldBack(blocking.error)
  const { subject, note } = draft
  const isPossible = draft.from !== '' || subject === null || kindOf(subject) !== 'other'
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    flushSync(() => setChecked(true))
    if (subject !== null && isPossible && !isHeldBack && !blocking.isPending) blocking.mutate({ ...draft, subject })
  }
  return (
    <Dialog title={t('blockTitle')} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <SubjectField {...draft} onChange={(chosen, name) => change({ subject: chosen, name })} isChecked={isChecked} />
        <Extent draft={draft} onChange={change} />
        <Field
          label={t('note')}
          hint={t('noteHint')}
          value={note}
          onChange={(to) => change({ note: to })}
          maxLength={300}
        />
        <FormFailure error={blocking.error} />
        <DialogActions>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button type="submit" tone="danger" isPending={blocking.isPending} isDisabled={isHeldBack || !isPossible}>
            {t('blockThis')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** From what it blocks and for how long. */
function Extent({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  const t = useTranslations('adminBlocks')
  const { subject, from, length } = draft
  const sets = useConsole().list.ruleSets.filter(({ targets }) => targets.includes('subject'))
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={t('blockFrom')}
          value={from}
          options={[{ value: '', label: t('everything') }, ...sets.map(({ name }) => ({ value: name, label: name }))]}
          onChange={(to) => onChange({ from: to })}
        />
        {from !== '' && (
          <Select<Length>
            label={t('blockFor')}
            value={length}
            options={choices.map((value) => ({ value, label: t(`durations.${value}`) }))}
            onChange={(to) => onChange({ length: to })}
          />
        )}
      </div>
      {from === '' && subject !== null && <p className="text-sm text-ink-soft">{t(meaning[kindOf(subject)])}</p>}
    </>
  )
}

const meaning = { user: 'everyUser', address: 'everyAddress', other: 'everyOther' } as const

function kindOf(subject: string): BlockOf['kind'] {
  if (isHolder(subject)) return 'other'
  if (!isOneAddress(subject)) return /^[0-9a-f-]{36}$/.test(subject) ? 'user' : 'other'
  // One address of a shared account ends in its ID.
  return /:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(subject) ? 'other' : 'address'
}

function useBlocking(onDone: () => void) {
  const tLimits = useTranslations('adminLimits')
  const slotOf = useOverrideSlot()
  const { blockFromEverything } = useBlockActions()
  return useMutation({
    mutationFn: async ({ subject, name, from, length, note }: Draft & { subject: string }): Promise<void> => {
      const reason = note.trim()
      if (from === '') {
        const named = namedSubject(tLimits, subject, name)
        return blockFromEverything({ kind: kindOf(subject), subject, name: named, note: reason })
      }
      const slot = slotOf({ ruleSet: from, target: { kind: 'subject', subject }, subjectName: name })
      const shown = await slot.read()
      const terms = { ...shown?.terms, blockedUntil: new Date(Date.now() + lengths[length]).toISOString() }
      await saveSlot(slot, { terms, note: reason || (shown?.note ?? null) }, { shown, seen: true })
    },
    onSuccess: onDone,
  })
}
