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
import { saveSlot } from '../changes/slot-changes.ts'
import { useOverrideSlot } from '../changes/use-override-slot.ts'
import { SubjectField } from '../subjects/subject-field.tsx'
import { isHolder, isOneAddress, namedSubject } from '../subjects/subject-text.ts'
import type { RuleSetItem, Stats } from '../types.ts'
import { type BlockOf, useBlockActions } from './use-block-actions.ts'

const HOUR_MS = 3_600_000
const lengths = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS, year: 8_760 * HOUR_MS }
type Length = keyof typeof lengths
const choices = ['hour', 'day', 'week', 'month', 'year'] as const satisfies readonly Length[]

interface Props {
  sets: readonly RuleSetItem[]
  /** The set that it begins with; everything without one. */
  ruleSet?: string
  subject?: Pick<Stats['nearest'][number]['subject'], 'key' | 'name'>
  onClose: () => void
}

/** Blocks somebody from a rule set for a while, or from everything until the block is lifted. */
export function BlockDialog({ sets, ruleSet = '', subject: begun, onClose }: Props) {
  const t = useTranslations('adminBlocks')
  const tLimits = useTranslations('adminLimits')
  const [{ subject, name }, setSubject] = useState({ subject: begun?.key ?? null, name: begun?.name ?? null })
  const [from, setFrom] = useState(ruleSet)
  const [length, setLength] = useState<Length>('day')
  const [note, setNote] = useState('')
  const [isChecked, setChecked] = useState(false)
  const blocking = useBlocking(sets, onClose)
  const isHeldBack = useHeldBack(blocking.error)
  const kind = kindOf(subject)
  const isPossible = from !== '' || kind !== 'other'
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    flushSync(() => setChecked(true))
    if (subject === null || !isPossible || isHeldBack || blocking.isPending) return
    const of = { kind, subject, name: namedSubject(tLimits, subject, name), note: note.trim() }
    blocking.mutate({ of, subjectName: name, from, length })
  }
  const options = [
    { value: '', label: t('everything') },
    ...sets.filter(({ targets }) => targets.includes('subject')).map((set) => ({ value: set.name, label: set.name })),
  ]
  return (
    <Dialog title={t('blockTitle')} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <SubjectField
          subject={subject}
          name={name}
          onChange={(chosen, named) => setSubject({ subject: chosen, name: named })}
          isChecked={isChecked}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Select label={t('blockFrom')} value={from} options={options} onChange={setFrom} />
          {from !== '' && (
            <Select<Length>
              label={t('blockFor')}
              value={length}
              options={choices.map((value) => ({ value, label: t(`durations.${value}`) }))}
              onChange={setLength}
            />
          )}
        </div>
        {from === '' && subject !== null && <p className="text-sm text-ink-soft">{t(meaning[kind])}</p>}
        <Field label={t('note')} hint={t('noteHint')} value={note} onChange={setNote} maxLength={300} />
        <FormFailure error={blocking.error} />
        <DialogActions>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button
            type="submit"
            tone="danger"
            isPending={blocking.isPending}
            isDisabled={isHeldBack || (subject !== null && !isPossible)}
          >
            {t('blockThis')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const meaning = { user: 'everyUser', address: 'everyAddress', other: 'everyOther' } as const

function kindOf(subject: string | null): BlockOf['kind'] {
  if (subject === null || isHolder(subject)) return 'other'
  if (!isOneAddress(subject)) return /^[0-9a-f-]{36}$/.test(subject) ? 'user' : 'other'
  // One address of a shared account ends in its ID.
  return /:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(subject) ? 'other' : 'address'
}

interface Wanted {
  readonly of: BlockOf
  readonly subjectName: string | null
  readonly from: string
  readonly length: Length
}

function useBlocking(sets: readonly RuleSetItem[], onDone: () => void) {
  const slotOf = useOverrideSlot()
  const { blockFromEverything } = useBlockActions()
  return useMutation({
    mutationFn: async ({ of, subjectName, from, length }: Wanted): Promise<void> => {
      const set = sets.find(({ name }) => name === from)
      if (!set) return blockFromEverything(of)
      const target = { kind: 'subject', subject: of.subject } as const
      const slot = slotOf({ ruleSet: set.name, target, subjectName })
      const shown = await slot.read()
      const terms = { ...shown?.terms, blockedUntil: new Date(Date.now() + lengths[length]).toISOString() }
      await saveSlot(slot, { terms, note: of.note || (shown?.note ?? null) }, { shown, seen: true })
    },
    onSuccess: onDone,
  })
}
