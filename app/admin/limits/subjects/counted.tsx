'use client'

import Link from 'next/link'
import { useTranslations } from 'use-intl/react'
import { Picture } from '../../ranking.tsx'
import type { ShownArgument, Subject } from '../types.ts'
import { argumentText, subjectText } from './subject-text.ts'

interface Props {
  subject: Subject
  /** What of its calls is counted, or of everybody's; null for all. */
  argument: ShownArgument | null
}

/** Whom or what a rule counts: people by name, things by their picture and title. */
export function Counted({ subject, argument }: Props) {
  const t = useTranslations('adminLimits')
  if (!argument) return <span className="font-medium break-all">{subjectText(t, subject)}</span>
  // The digest of an argument is no caller.
  if (subject.kind === 'digest') return <Thing argument={argument} />
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="font-medium break-all">{subjectText(t, subject)}</span>
      <Thing argument={argument} />
    </span>
  )
}

/** A thing by its picture and title, with a link to it. */
export function Thing({ argument }: { argument: ShownArgument }) {
  const t = useTranslations('adminLimits')
  const { kind, href, thumbnail } = argument
  const text = argumentText(t, argument)
  return (
    <span className="inline-flex min-w-0 items-center gap-2 align-middle">
      {(kind === 'image' || thumbnail) && <Picture url={thumbnail} />}
      {href ? (
        <Link href={href} prefetch={false} className="min-w-0 font-medium break-words text-water hover:underline">
          {text}
        </Link>
      ) : (
        <span className="min-w-0 font-medium break-all">{text}</span>
      )}
    </span>
  )
}

/** The used part of a limit, which the figures beside it give as well. */
export function Bar({ part }: { part: number }) {
  return (
    <span
      aria-hidden="true"
      className="h-2 min-w-16 flex-1 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset"
    >
      <span
        className={`block h-full rounded-full ${part >= 1 ? 'bg-gate' : 'bg-water'}`}
        style={{ width: `${part * 100}%` }}
      />
    </span>
  )
}
