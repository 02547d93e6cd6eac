'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { type Question, useConsole } from '../console.tsx'
import { findSet } from '../places.ts'
import { SetLink } from '../set-link.tsx'
import { subjectText } from '../subjects/subject-text.ts'
import type { ExplainedLimits, LimitsList } from '../types.ts'
import { ExplainedRules } from './explained-rule.tsx'

/** How often the figures are read while the page is visible. */
const INTERVAL_MS = 5_000

/** Asks how a call by somebody would be decided now, and shows the answer. */
export function Explain() {
  const t = useTranslations('adminExplain')
  const { asked } = useConsole().question
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (asked) heading.current?.scrollIntoView()
  }, [asked])
  const query = useQuery(
    useTRPC().limits.explain.queryOptions(asked ? withoutEmpty(asked) : skipToken, {
      ...{ staleTime: 0, refetchInterval: INTERVAL_MS },
    }),
  )
  return (
    <section aria-labelledby="explain-call" className="mt-10">
      <h2 ref={heading} id="explain-call" className="scroll-mt-34 text-lg max-sm:scroll-mt-44 font-semibold">
        {t('title')}
      </h2>
      <p className="mb-4 text-sm text-ink-soft">{t('lead')}</p>
      <QuestionForm />
      {asked && query.isPending && !query.error && <Skeleton className="mt-4 h-40 w-full" />}
      <QueryStanding query={query} />
      {query.data && !query.error && <Explained explained={query.data} />}
    </section>
  )
}

function QuestionForm() {
  const t = useTranslations('adminExplain')
  const { list, question } = useConsole()
  const { draft, setDraft, ask } = question
  const names = useId()
  const [procedure, subject, argument] = [draft.procedure.trim(), draft.subject.trim(), draft.argument.trim()]
  const input = countedInput(list, procedure)
  const isComplete = procedure !== '' && subject !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isComplete) ask({ procedure, subject, argument: input === null ? '' : argument })
  }
  const text = (name: keyof Question) => {
    return { value: draft[name], onChange: (to: string) => setDraft({ ...draft, [name]: to }), isVerbatim: true }
  }
  return (
    <form onSubmit={submit} className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_auto]">
      <Field
        label={t('procedure')}
        {...text('procedure')}
        list={names}
        placeholder={t('procedureExample')}
        isRequired
      />
      <datalist id={names}>
        {list.procedures.map(({ path }) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <Field label={t('caller')} hint={t('callerHint')} {...text('subject')} isRequired />
      {input !== null && <Field label={t('argument', { input })} hint={t('argumentHint')} {...text('argument')} />}
      <Button type="submit" isDisabled={!isComplete} className="lg:mt-6.5 sm:justify-self-start">
        {t('ask')}
      </Button>
    </form>
  )
}

const withoutEmpty = ({ argument, ...question }: Question) => ({ ...question, ...(argument !== '' && { argument }) })

/** The argument that a rule set of the procedure counts; null if none does. */
function countedInput({ procedures, ruleSets }: LimitsList, procedure: string): string | null {
  const names = procedures.find(({ path }) => path === procedure)?.ruleSets ?? []
  const [by] = ruleSets.flatMap(({ name, by: each }) => (names.includes(name) && typeof each === 'object' ? each : []))
  return by?.input ?? null
}

/** Whether a call passes, and each rule that decides it. */
function Explained({ explained }: { explained: ExplainedLimits }) {
  const t = useTranslations('adminExplain')
  const { list } = useConsole()
  const { answeredBy, rules, unasked } = explained
  return (
    <div className="mt-4 flex flex-col gap-3" aria-live="polite">
      <Verdict explained={explained} />
      {(answeredBy === 'local' || answeredBy === 'policy') && <Notice tone="gate">{t('ownCount')}</Notice>}
      {rules.length > 0 && <ExplainedRules rules={rules} />}
      {unasked.length > 0 && (
        <div className="text-sm text-ink-soft">
          <p>{t('unasked')}</p>
          <ul className="mt-1 list-disc pl-5">
            {unasked.map(({ ruleSet, needs }) => (
              <li key={ruleSet}>
                <SetLink name={findSet(list, ruleSet)?.name ?? ruleSet}>{ruleSet}</SetLink> {t(`needs.${needs}`)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

function Verdict({ explained: { subject, isExempt, waitMs, rules } }: { explained: ExplainedLimits }) {
  const t = useTranslations('adminExplain')
  const tLimits = useTranslations('adminLimits')
  const format = useFormat()
  const named = { subject: subjectText(tLimits, subject) }
  if (isExempt) return <p className="font-medium">{t('exempt', named)}</p>
  if (rules.length === 0) return <p className="font-medium">{t('noRules')}</p>
  return waitMs === 0 ? (
    <p className="font-medium text-good">{t('passes', named)}</p>
  ) : (
    <p className="font-medium text-gate">{t('refused', { ...named, wait: format.wait(waitMs) })}</p>
  )
}
