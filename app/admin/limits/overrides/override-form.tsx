'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl/react'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { TermsTable } from '../rule-sets/terms-table.tsx'
import { compareTerms, targetName } from '../terms-text.ts'
import type { OverrideItem, RuleSetItem } from '../types.ts'
import { type ChosenTarget, toTarget } from './chosen-target.ts'
import { ConflictNotice, useConflict } from './conflict.tsx'
import { overrideAt, overrideForAll } from './in-force.ts'
import { differenceFrom, parseCharging, parseTermsDraft, type TermsDraft, toTermsDraft } from './override-draft.ts'
import { TargetFields } from './target-fields.tsx'
import { TermsFields } from './terms-fields.tsx'
import { isSame, type OverrideContent, type OverridePlace, useOverrideActions } from './use-override-actions.ts'
import { WarningNotice } from './warning-notice.tsx'

interface Props {
  set: RuleSetItem
  initialTarget: ChosenTarget
  onChanged: () => void
  onCancel: () => void
  onSaved: () => void
}

/** The fields of an override, and the resulting terms beside the declared ones. */
export function OverrideForm({ set, initialTarget, onChanged, onCancel, onSaved }: Props) {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  const format = useFormat()
  const [chosen, setChosen] = useState(initialTarget)
  const [typed, setTyped] = useState<TermsDraft | null>(null)
  const [typedNote, setTypedNote] = useState<string | null>(null)
  const [isChecked, setChecked] = useState(false)
  /** The conflicting override that the user has seen: saving again replaces it. */
  const [seenConflict, setSeenConflict] = useState<OverrideItem | null>()
  const { save, isSaving, error, reset, warnings } = useSaving(onSaved, setSeenConflict)
  const isHeldBack = useHeldBack(error)
  /** A change discards the last error, but not a refusal, whose wait still applies. */
  const change = <T,>(apply: (to: T) => void) => {
    return (to: T) => {
      apply(to)
      onChanged()
      if (!isHeldBack && !isSaving) reset()
    }
  }

  const target = toTarget(chosen)
  const place = target && { target, procedure: chosen.procedure }
  const known = place && overrideAt(set, place)
  const { isConflict, begun } = useConflict(place, known, typed !== null || typedNote !== null)
  const isSeen = seenConflict !== undefined && isSame(seenConflict, known)
  const draft = typed ?? toTermsDraft(set.declared, (begun ?? overrideForAll(set))?.terms ?? {})
  const note = typedNote ?? begun?.note ?? ''
  const charging = parseCharging(draft)
  const all = charging && parseTermsDraft(draft, set.unit)
  const isUnchanged = all !== null && Object.keys(charging ?? {}).length === 0 && hasNoEffect(set, all, chosen)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    flushSync(() => setChecked(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    if (!target || !all || isUnchanged || isHeldBack || isSaving) return
    if (isConflict && !isSeen) return setSeenConflict(known)
    const difference = { ...differenceFrom(set.declared, all), ...charging }
    const terms = Object.keys(difference).length > 0 ? difference : { rules: all.rules }
    save({
      place: { ruleSet: set.name, procedure: chosen.procedure, target, subjectName: chosen.subjectName },
      content: { terms, note: note.trim() || null },
      shown: known,
      seen: warnings.length > 0,
    })
  }
  const discardMine = () => {
    setTyped(null)
    setTypedNote(null)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <TargetFields
        possible={set.targets}
        procedures={set.usedBy}
        chosen={chosen}
        onChange={change(setChosen)}
        isChecked={isChecked}
      />
      {known && !isConflict && (
        <p className="text-sm text-ink-soft">
          {t('replaces', { target: targetName(tLimits, known.target, known.subjectName, known.procedure) })}
        </p>
      )}
      <TermsFields
        draft={draft}
        unit={set.unit}
        canDegrade={set.canDegrade}
        chargingDefault={t('asDeclared')}
        onChange={change(setTyped)}
        isChecked={isChecked}
      >
        <Field label={t('note')} hint={t('noteHint')} value={note} onChange={change(setTypedNote)} maxLength={500} />
      </TermsFields>
      <section aria-label={t('result')} className="rounded-md border border-line bg-ground px-3 py-2.5">
        {all ? (
          <TermsTable
            comparisons={compareTerms(tLimits, format, { declared: set.declared, effective: all })}
            heading={tLimits('afterSaving')}
          />
        ) : (
          <p className="text-sm text-ink-soft">{t('resultPending')}</p>
        )}
      </section>
      {isChecked && !(all && target) && <Notice tone="danger">{t('invalid')}</Notice>}
      {isUnchanged && <Notice>{t('unchanged')}</Notice>}
      <WarningNotice warnings={warnings} />
      <FormFailure error={error} />
      {isConflict && !isSaving && <ConflictNotice current={known} isSeen={isSeen} onDiscard={discardMine} />}
      <DialogActions>
        <Button onPress={onCancel}>{t('cancel')}</Button>
        <Button type="submit" tone="primary" isPending={isSaving} isDisabled={isHeldBack || isUnchanged}>
          {isConflict && isSeen && !isSaving ? t('replace') : t(warnings.length > 0 ? 'saveAnyway' : 'save')}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Whether the terms are the declared ones. They still have an effect where a more general override differs from them. */
function hasNoEffect(set: RuleSetItem, all: RuleSetItem['declared'], { kind, procedure }: ChosenTarget): boolean {
  // Its calls then count by themselves.
  if (procedure) return false
  const isDeclared = Object.keys(differenceFrom(set.declared, all)).length === 0
  const general = set.overrides.filter((each) => {
    return !each.procedure && each.target.kind !== kind && each.target.kind !== 'subject'
  })
  return isDeclared && (kind === 'all' || general.length === 0)
}

function useSaving(onSaved: () => void, onConflict: (current: OverrideItem | null) => void) {
  const actions = useOverrideActions()
  const { mutate, data, isPending, error, reset } = useMutation({
    mutationFn: ({ place, content, ...as }: Saving) => actions.save(place, content, as),
    onSuccess: ({ isSaved, warnings, now }) => {
      if (isSaved) onSaved()
      else if (warnings.length === 0) onConflict(now)
    },
  })
  return { save: mutate, isSaving: isPending, error, reset, warnings: data?.warnings ?? [] }
}

interface Saving {
  readonly place: OverridePlace
  readonly content: OverrideContent
  readonly shown: OverrideItem | null
  /** Whether the warnings about the terms were seen. */
  readonly seen: boolean
}
