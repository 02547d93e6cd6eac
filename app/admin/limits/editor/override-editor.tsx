'use client'

import { useTranslations } from 'use-intl/react'
import { Notice } from '#app/ui/notice.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import type { ChosenTarget } from '../places.ts'
import { TermsTable } from '../rule-sets/terms-table.tsx'
import { compareTerms, targetName } from '../terms-text.ts'
import type { DeclaredTerms, RuleSetItem } from '../types.ts'
import { ConflictNotice } from './conflict.tsx'
import { Editor, EntryForm, type Frame } from './entry-form.tsx'
import { TargetFields } from './target-fields.tsx'
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
  const title = t(initialTarget.kind === 'trial' ? 'trial.title' : 'title', { ruleSet: set.name })
  return (
    <Editor title={title} onClose={onClose}>
      {(frame) => <OverrideForm set={set} initialTarget={initialTarget} frame={frame} />}
    </Editor>
  )
}

function OverrideForm({ set, initialTarget, frame }: Omit<Props, 'onClose'> & { frame: Frame }) {
  const t = useTranslations('adminOverrides')
  const form = useOverrideForm(set, initialTarget, frame)
  const { saving, known, all, isTrial, isUnchanged, isSeen } = form
  const isConflict = form.isConflict && !saving.isPending
  const label = isConflict && isSeen ? t('replace') : isTrial && !known ? t('trial.begin') : t('save')
  return (
    <EntryForm
      {...{ saving, draft: form.draft, note: form.note, onChange: form.type, onNote: form.typeNote }}
      {...{ unit: set.unit, canDegrade: set.canDegrade, isOnlyRules: isTrial, onCancel: frame.onCancel }}
      chargingDefault={t('asDeclared')}
      isValid={all !== null && form.target !== null}
      isDisabled={isUnchanged}
      onSubmit={form.submit}
      submitLabel={label}
      result={!isTrial && <Result declared={set.declared} all={all} />}
      notices={
        <>
          {isUnchanged && <Notice>{t('unchanged')}</Notice>}
          {isConflict && <ConflictNotice current={known} isSeen={isSeen} onDiscard={form.discardMine} />}
        </>
      }
    >
      {(isChecked) => <Target set={set} form={form} isChecked={isChecked} />}
    </EntryForm>
  )
}

interface TargetProps {
  set: RuleSetItem
  form: ReturnType<typeof useOverrideForm>
  isChecked: boolean
}

/** What it applies to, and what is stored there. */
function Target({ set, form: { chosen, choose, known, isTrial, isConflict }, isChecked }: TargetProps) {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  if (isTrial) return <p className="text-sm text-ink-soft">{t('trial.text')}</p>
  return (
    <>
      <TargetFields set={set} chosen={chosen} onChange={choose} isChecked={isChecked} />
      {known && !isConflict && (
        <p className="text-sm text-ink-soft">
          {t('replaces', { target: targetName(tLimits, known.target, known.subjectName, known.procedure) })}
        </p>
      )}
    </>
  )
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
