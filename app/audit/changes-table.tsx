'use client'

import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'
import type { AuditItem } from './acts.ts'
import { describeValue, listChanges, nameField, type Value } from './changes.ts'

/** What an act changed, field by field; nothing for an act without a state. */
export function Changes({ item }: { item: AuditItem }) {
  const t = useTranslations('audit')
  const format = useFormat()
  const changes = listChanges(item)
  const text = (field: string, value: Value | null) => (value === null ? null : describeValue(t, format, field, value))
  if (changes.length === 0) return null
  return (
    <ul className="flex flex-col divide-y divide-line rounded-md border border-line bg-ground">
      {changes.map(({ field, before, after }) => (
        <li key={field} className="grid gap-x-3 px-3 py-1.5 md:grid-cols-[10rem_minmax(0,1fr)]">
          <FieldName name={nameField(t, field)} field={field} />
          <span className="figures min-w-0 break-words">
            <State name={t('before')} text={text(field, before)} none={t('nothing')} isOld />
            <span aria-hidden="true" className="px-1.5 text-ink-soft">
              →
            </span>
            <State name={t('after')} text={text(field, after)} none={t('nothing')} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function FieldName({ name, field }: { name: string | null; field: string }) {
  if (name !== null) return <span className="text-ink-soft">{name}</span>
  return <span className="font-mono text-[0.8125rem] break-all text-ink-soft">{field}</span>
}

/** Long texts are cut: an export has all of them. */
const LONGEST = 500

function State({
  name,
  text,
  none,
  isOld = false,
}: {
  name: string
  text: string | null
  none: string
  isOld?: boolean
}) {
  return (
    <>
      <span className="sr-only">{name} </span>
      {text === null ? (
        <span className="text-ink-soft">{none}</span>
      ) : (
        <bdi className={`wrap-anywhere ${isOld ? 'text-ink-soft' : ''}`}>{text.slice(0, LONGEST)}</bdi>
      )}
    </>
  )
}
