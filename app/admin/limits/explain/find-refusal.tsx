'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { readAddress, writeAddress } from '../console.tsx'
import { subjectText } from '../subjects/subject-text.ts'
import type { RefusalItem } from '../types.ts'
import { ExplainedRules } from './explained-rule.tsx'

/** Finds why a request was refused, by the ID that refused people see. The page's address keeps it. */
export function FindRefusal() {
  const t = useTranslations('adminExplain')
  const trpc = useTRPC()
  const [asked, setAsked] = useState(() => readAddress().get('refusal') ?? '')
  const [draft, setDraft] = useState(asked)
  const query = useQuery(
    trpc.limits.refusal.queryOptions(asked === '' ? skipToken : { requestId: asked }, { staleTime: 0 }),
  )
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (asked !== '') heading.current?.scrollIntoView()
  }, [asked])
  const requestId = draft.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (requestId === asked) return void query.refetch()
    setAsked(requestId)
    writeAddress({ refusal: requestId })
  }
  return (
    <section aria-labelledby="refusal" className="mt-10">
      <h2 ref={heading} id="refusal" className="scroll-mt-34 text-lg max-sm:scroll-mt-44 font-semibold">
        {t('refusal.title')}
      </h2>
      <p className="mb-4 text-sm text-ink-soft">{t('refusal.lead')}</p>
      <form onSubmit={submit} className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-[minmax(0,26rem)_auto_1fr]">
        <Field
          label={t('refusal.requestId')}
          value={draft}
          onChange={setDraft}
          placeholder="0b9f3c1e-…"
          maxLength={128}
          isRequired
          isVerbatim
        />
        <Button type="submit" isDisabled={requestId === ''} className="sm:mt-6.5">
          {t('refusal.find')}
        </Button>
      </form>
      {asked !== '' && query.isPending && !query.error && <Skeleton className="mt-4 h-40 w-full" />}
      <QueryStanding query={query} />
      <div aria-live="polite">
        {query.data?.length === 0 && <p className="mt-4 text-sm">{t('refusal.none')}</p>}
        {query.data?.map((refusal) => (
          <Refusal key={`${refusal.at} ${refusal.procedure}`} refusal={refusal} />
        ))}
      </div>
    </section>
  )
}

function Refusal({ refusal }: { refusal: RefusalItem }) {
  const t = useTranslations('adminExplain')
  const tLimits = useTranslations('adminLimits')
  const format = useFormat()
  const { at, procedure, subject, decidedBy, retryAfterMs, waitedMs, rules } = refusal
  return (
    <article className="mt-4 flex flex-col gap-2">
      <h3 className="font-medium break-words text-gate">
        {t('refusal.call', { procedure, subject: subjectText(tLimits, subject) })}
      </h3>
      <p className="figures text-sm text-ink-soft">
        <LocalDate iso={at} time /> · {t('refusal.after', { wait: format.wait(retryAfterMs) })}
        {waitedMs > 0 && ` · ${t('refusal.waited', { wait: format.wait(waitedMs) })}`}
      </p>
      {decidedBy !== 'store' && <p className="text-sm">{t(`refusal.by.${decidedBy}`)}</p>}
      <ExplainedRules rules={rules} />
    </article>
  )
}
