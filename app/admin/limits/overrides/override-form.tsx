'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { TermsTable } from '../rule-sets/terms-table.tsx'
import type { OverrideItem, RuleSetItem } from '../types.ts'
import { compareTerms, targetWords } from '../words.ts'
import { overrideAt, overrideForAll } from './in-force.ts'
import { allTermsOf, differenceFrom, draftOf, type TermsDraft } from './override-draft.ts'
import { OvertakenNotice, useOvertaken } from './overtaken.tsx'
import { type ChosenTarget, TargetFields, targetOf } from './target-fields.tsx'
import { TermsFields } from './terms-fields.tsx'
import { isSame, type OverrideContent, type OverridePlace, useOverrideActions } from './use-override-actions.ts'

interface Props {
  set: RuleSetItem
  initialTarget: ChosenTarget
  onChanged: () => void
  onCancel: () => void
  onSaved: () => void
}

/** An override to type, beside what is declared; `onChanged` tells that there is something to lose. */
export function OverrideForm({ set, initialTarget, onChanged, onCancel, onSaved }: Props) {
  const [chosen, setChosen] = useState(initialTarget)
  const [typed, setTyped] = useState<TermsDraft | null>(null)
  const [typedNote, setTypedNote] = useState<string | null>(null)
  const [isChecked, setChecked] = useState(false)
  /** What one has been told another put there: whoever saves again means to write over it. */
  const [toldOf, setToldOf] = useState<OverrideItem | null>()
  const { save, isSaving, error, reset } = useSaving(onSaved, setToldOf)
  const isHeldBack = useHeldBack(error)
  /** What the server said of the last try is not said of the next one; how long to wait still holds. */
  const change = <T,>(apply: (to: T) => void) => {
    return (to: T) => {
      apply(to)
      onChanged()
      if (error && !isHeldBack) reset()
    }
  }

  const target = targetOf(chosen)
  const known = target && overrideAt(set, target)
  const { isOvertaken, begun } = useOvertaken(target, known, typed !== null || typedNote !== null)
  const isTold = toldOf !== undefined && isSame(toldOf, known)
  const draft = typed ?? draftOf(set.declared, (begun ?? overrideForAll(set))?.terms ?? {})
  const note = typedNote ?? begun?.note ?? ''
  const all = allTermsOf(draft, set.unit)
  const isPointless = all !== null && saysNothing(set, all, chosen)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    flushSync(() => setChecked(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    if (!target || !all || isPointless || isHeldBack || isSaving) return
    if (isOvertaken && !isTold) return setToldOf(known)
    const difference = differenceFrom(set.declared, all)
    const terms = Object.keys(difference).length > 0 ? difference : { rules: all.rules }
    save({
      place: { ruleSet: set.name, target, subjectName: chosen.subjectName },
      content: { terms, note: note.trim() || null },
      shown: known,
    })
  }
  const takeTheirs = () => {
    setTyped(null)
    setTypedNote(null)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <TargetFields possible={set.targets} chosen={chosen} onChange={change(setChosen)} isChecked={isChecked} />
      {known && !isOvertaken && (
        <p className="text-sm text-ink-soft">Saving replaces the override there is for {whomOf(known)}.</p>
      )}
      <TermsFields draft={draft} unit={set.unit} onChange={change(setTyped)} isChecked={isChecked}>
        <Field
          label="Note"
          hint="Why, for whoever reads the history."
          value={note}
          onChange={change(setTypedNote)}
          maxLength={500}
        />
      </TermsFields>
      <section aria-label="What will hold" className="rounded-md border border-line bg-ground px-3 py-2.5">
        {all ? (
          <TermsTable
            comparisons={compareTerms(set.declared, all)}
            heading={`Will hold for ${target ? targetWords(target, chosen.subjectName) : 'them'}`}
          />
        ) : (
          <p className="text-sm text-ink-soft">What will hold is shown here once every field says something.</p>
        )}
      </section>
      {isChecked && !(all && target) && (
        <Notice tone="danger">Something above is missing, or is not what its field takes.</Notice>
      )}
      {isPointless && <Notice>This is what is declared: there is nothing to override yet.</Notice>}
      <FormFailure error={error} />
      {isOvertaken && !isSaving && <OvertakenNotice by={known} isTold={isTold} onTake={takeTheirs} />}
      <DialogActions>
        <Button onPress={onCancel}>Cancel</Button>
        <Button type="submit" tone="primary" isPending={isSaving} isDisabled={isHeldBack || isPointless}>
          {isOvertaken && isTold && !isSaving ? 'Save over it' : 'Save'}
        </Button>
      </DialogActions>
    </form>
  )
}

const whomOf = ({ target, subjectName }: OverrideItem): string => targetWords(target, subjectName)

/** An override that says what is declared makes a difference only where a more general one says otherwise. */
function saysNothing(set: RuleSetItem, all: RuleSetItem['declared'], { kind }: ChosenTarget): boolean {
  const isDeclared = Object.keys(differenceFrom(set.declared, all)).length === 0
  const general = set.overrides.filter(({ target }) => target.kind !== kind && target.kind !== 'subject')
  return isDeclared && (kind === 'all' || general.length === 0)
}

function useSaving(onSaved: () => void, onOvertaken: (by: OverrideItem | null) => void) {
  const actions = useOverrideActions()
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ place, content, shown }: Saving) => actions.save(place, content, shown),
    onSuccess: ({ isSaved, now }) => (isSaved ? onSaved() : onOvertaken(now)),
  })
  return { save: mutate, isSaving: isPending, error, reset }
}

interface Saving {
  readonly place: OverridePlace
  readonly content: OverrideContent
  readonly shown: OverrideItem | null
}
