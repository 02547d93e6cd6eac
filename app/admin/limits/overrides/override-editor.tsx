'use client'

import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl/react'
import { FormFailure } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { GuardedDialog } from '../../guarded-dialog.tsx'
import { WarningNotice } from '../changes/warning-notice.tsx'
import type { ChosenTarget } from '../places.ts'
import { TermsTable } from '../rule-sets/terms-table.tsx'
import { compareTerms, targetName } from '../terms-text.ts'
import type { DeclaredTerms, RuleSetItem } from '../types.ts'
import { ConflictNotice } from './conflict.tsx'
import { TargetFields } from './target-fields.tsx'
import { TermsFields } from './terms-fields.tsx'
import { useOverrideForm } from './use-override-form.ts'

interface Props {
  /** The current rule set: others may change it while the form is open. */
  set: RuleSetItem
  initialTarget: ChosenTarget
  onClose: () => void
}

/** A dialog to edit an override, or the rules of a trial. */
export function OverrideEditor({ set, initialTarget, onClose }: Props) {
  const t = useTranslations('adminOverrides')
  const [isChanged, setChanged] = useState(false)
  const title = t(initialTarget.kind === 'trial' ? 'trial.title' : 'title', { ruleSet: set.name })
  return (
    <GuardedDialog title={title} isChanged={isChanged} onClose={onClose} isWide>
      {(leave) => (
        <OverrideForm
          set={set}
          initialTarget={initialTarget}
          onChanged={() => setChanged(true)}
          onCancel={leave}
          onSaved={onClose}
        />
      )}
    </GuardedDialog>
  )
}

interface FormProps extends Omit<Props, 'onClose'> {
  onChanged: () => void
  onCancel: () => void
  onSaved: () => void
}

function OverrideForm({ onCancel, ...options }: FormProps) {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  const { set } = options
  const form = useOverrideForm(options)
  const { chosen, known, all, isTrial, isConflict, warnings } = form
  const [isChecked, setChecked] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    flushSync(() => setChecked(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    form.submit()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      {isTrial ? (
        <p className="text-sm text-ink-soft">{t('trial.text')}</p>
      ) : (
        <TargetFields
          possible={set.targets}
          procedures={set.usedBy}
          chosen={chosen}
          onChange={form.choose}
          isChecked={isChecked}
        />
      )}
      {known && !isConflict && !isTrial && (
        <p className="text-sm text-ink-soft">
          {t('replaces', { target: targetName(tLimits, known.target, known.subjectName, known.procedure) })}
        </p>
      )}
      <TermsFields
        draft={form.draft}
        unit={set.unit}
        canDegrade={set.canDegrade}
        chargingDefault={t('asDeclared')}
        isOnlyRules={isTrial}
        onChange={form.type}
        isChecked={isChecked}
      >
        <Field label={t('note')} hint={t('noteHint')} value={form.note} onChange={form.typeNote} maxLength={500} />
      </TermsFields>
      {!isTrial && <Result declared={set.declared} all={all} />}
      {isChecked && !(all && form.target) && <Notice tone="danger">{t('invalid')}</Notice>}
      {form.isUnchanged && <Notice>{t('unchanged')}</Notice>}
      <WarningNotice warnings={warnings} />
      <FormFailure error={form.error} />
      {isConflict && !form.isSaving && (
        <ConflictNotice current={known} isSeen={form.isSeen} onDiscard={form.discardMine} />
      )}
      <DialogActions>
        <Button onPress={onCancel}>{t('cancel')}</Button>
        <Button type="submit" tone="primary" isPending={form.isSaving} isDisabled={form.isHeldBack || form.isUnchanged}>
          {t(submitLabel(form))}
        </Button>
      </DialogActions>
    </form>
  )
}

function submitLabel({ isConflict, isSeen, isSaving, isTrial, known, warnings }: ReturnType<typeof useOverrideForm>) {
  if (isConflict && isSeen && !isSaving) return 'replace'
  if (warnings.length > 0) return 'saveAnyway'
  return isTrial && !known ? 'trial.begin' : 'save'
}

/** The resulting terms beside the declared ones. */
function Result({ declared, all }: { declared: DeclaredTerms; all: DeclaredTerms | null }) {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  const format = useFormat()
  return (
    <section aria-label={t('result')} className="rounded-md border border-line bg-ground px-3 py-2.5">
      {all ? (
        <TermsTable
          comparisons={compareTerms(tLimits, format, { declared, effective: all })}
          heading={tLimits('afterSaving')}
        />
      ) : (
        <p className="text-sm text-ink-soft">{t('resultPending')}</p>
      )}
    </section>
  )
}
