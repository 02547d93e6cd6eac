'use client'

import { useTranslations } from 'use-intl/react'
import type { Outputs } from '#app/connection/trpc.ts'
import { Notice } from '#app/ui/notice.tsx'
import type { Translate } from '#app/ui/translate.ts'
import { useFormat } from '#app/ui/use-format.ts'
import type { Formats } from '#format/formats.ts'

export type OverrideWarning = Outputs['limits']['override']['warnings'][number]

/** What rules would do that is probably not meant, before they are saved. */
export function WarningNotice({ warnings }: { warnings: readonly OverrideWarning[] }) {
  const t = useTranslations('adminOverrides')
  const format = useFormat()
  if (warnings.length === 0) return null
  return (
    <div role="alert">
      <Notice tone="gate">
        {format.sentences([...warnings.map((warning) => overrideWarningText(t, format, warning)), t('warned')])}
      </Notice>
    </div>
  )
}

/** A warning about the rules of an override that was saved. */
export function overrideWarningText(t: Translate<'adminOverrides'>, format: Formats, warning: OverrideWarning): string {
  const nameRule = ({ policy, parts }: OverrideWarning['rule']) => ({ policy, rule: format.rule(parts) })
  const nameOther = ({ policy, parts }: OverrideWarning['rule']) => ({ otherPolicy: policy, other: format.rule(parts) })
  const names = nameRule(warning.rule)
  if (warning.kind === 'idle') return t('warning.idle', { ...names, ...nameOther(warning.other) })
  const { other } = warning
  if (!other) return t('warning.leverUnheld', names)
  return t('warning.lever', { ...names, ...nameOther(other.rule), most: format.amount(other.most, other.unit) })
}
