import type { Translate } from '#app/ui/translate.ts'
import type { Duration } from '#format/durations.ts'
import type { Formats } from '#format/formats.ts'
import type { Rule } from '#server/limits/rule-set.ts'
import { namedSubject } from './subjects/subject-text.ts'
import type { AddedSetItem, DeclaredTerms, OverrideTarget, OverrideTerms, Place, RuleSetItem } from './types.ts'

type T = Translate<'adminLimits'>

/** A declared rule in words: `1,200 per minute`, `60 per minute, 10 at once`. */
export function ruleText(format: Formats, rule: Rule): string {
  if ('concurrent' in rule) return format.rule({ concurrent: rule.concurrent })
  const { limit, window, blockFor } = rule
  const align = 'align' in rule ? rule.align : undefined
  const atOnce =
    rule.algorithm === 'token-bucket' ? rule.burst : rule.algorithm === 'leaky-bucket' ? rule.capacity : undefined
  return format.rule({ limit, window, blockFor, atOnce, calendar: align === 'window' ? undefined : align })
}

/** How a rule counts: its algorithm and its options. */
export function ruleDetail(t: T, format: Formats, rule: Rule): string {
  if ('concurrent' in rule)
    return format.parts([
      'concurrency',
      ...(rule.lease === undefined ? [] : [t('detail.lease', duration(format, rule.lease))]),
    ])
  const { algorithm = 'sliding-window-log' } = rule
  return format.parts([
    algorithm,
    ...('samples' in rule && rule.samples !== undefined ? [t('detail.samples', { count: rule.samples })] : []),
    ...('oldest' in rule && rule.oldest === 'whole' ? [t('detail.oldestWhole')] : []),
    ...('align' in rule && rule.align === 'window' ? [t('detail.aligned')] : []),
    ...('timeZone' in rule && rule.timeZone !== undefined ? [rule.timeZone] : []),
  ])
}

/** A term in words; a rule with how it counts. */
export interface TermLine {
  readonly text: string
  readonly detail: string | null
}

/** A term as declared and as in effect. */
export interface Comparison {
  readonly term: keyof DeclaredTerms
  readonly declared: readonly TermLine[]
  readonly effective: readonly TermLine[]
  readonly differs: boolean
}

/** Compares the declared terms with those in effect, in words. */
export function compareTerms(
  t: T,
  format: Formats,
  { declared, effective }: { readonly declared: DeclaredTerms; readonly effective: DeclaredTerms },
): readonly Comparison[] {
  const [before, after] = [termLines(t, format, declared), termLines(t, format, effective)]
  return (['rules', 'mode', 'wait', 'onStoreFailure'] as const).map((term) => ({
    term,
    declared: before[term],
    effective: after[term],
    differs: JSON.stringify(before[term]) !== JSON.stringify(after[term]),
  }))
}

/** Whether an equal line is among `lines`. */
export const isAmong = (line: TermLine, lines: readonly TermLine[]): boolean =>
  lines.some(({ text, detail }) => text === line.text && detail === line.detail)

/** The terms of an override in one line. */
export function termsSummary(t: T, format: Formats, terms: OverrideTerms): string {
  const { rules, mode, wait, onStoreFailure, cost, count, blockedUntil } = terms
  return format.clauses([
    ...(blockedUntil === undefined ? [] : [t('summary.blocked', { date: format.date(blockedUntil, { time: true }) })]),
    ...(rules ? [format.parts(rules.map((rule) => ruleText(format, rule)))] : []),
    ...(mode ? [t('summary.mode', { mode: t(`modeName.${mode}`) })] : []),
    ...(wait === undefined ? [] : [wait === null ? t('summary.waitNone') : t('summary.wait', duration(format, wait))]),
    ...(onStoreFailure ? [t(`summary.${onStoreFailure}`)] : []),
    ...(cost === undefined ? [] : [t('summary.cost', { cost })]),
    ...(count ? [t(`summary.count.${count}`)] : []),
  ])
}

/** A rule set that was added, in one line. */
export function setSummary(t: T, format: Formats, { by, ...terms }: NonNullable<AddedSetItem['set']>): string {
  return format.clauses([byText(t, by), termsSummary(t, format, terms)])
}

/** What a rule set counts separately. */
export function byText(t: T, by: RuleSetItem['by'] | NonNullable<AddedSetItem['set']>['by']): string {
  if (typeof by === 'string') return t(`by.${by}`)
  return t(by.per ? 'by.inputOfSubject' : 'by.input', { input: by.input })
}

/** The name of an override's target within a sentence, with the procedure that it is for alone. */
export function targetName(
  t: T,
  target: OverrideTarget,
  subjectName: string | null = null,
  procedure?: string,
): string {
  if (procedure) return t('target.in', { target: targetName(t, target, subjectName), procedure })
  if (target.kind === 'subject') return namedSubject(t, target.subject, subjectName)
  if (target.kind === 'argument') return t('target.argument', { value: subjectName ?? target.value })
  return t(`target.${target.kind === 'role' ? target.role : target.kind}`)
}

/** A distinct key for each place. */
export const placeKey = ({ procedure = '', target }: Place): string => `${procedure} ${targetKey(target)}`

function targetKey(target: OverrideTarget): string {
  if (target.kind === 'role') return `role ${target.role}`
  if (target.kind === 'argument') return `argument ${target.value}`
  return target.kind === 'subject' ? `subject ${target.subject}` : target.kind
}

const duration = (format: Formats, length: Duration) => ({ duration: format.duration(length) })

function termLines(t: T, format: Formats, { rules, mode, wait, onStoreFailure }: DeclaredTerms) {
  const line = (text: string): readonly TermLine[] => [{ text, detail: null }]
  return {
    rules: rules.map((rule): TermLine => ({ text: ruleText(format, rule), detail: ruleDetail(t, format, rule) })),
    mode: line(t(`mode.${mode}`)),
    wait: line(wait === null ? t('waitNone') : t('waitUpTo', duration(format, wait))),
    onStoreFailure: line(t(`storeFailure.${onStoreFailure}`)),
  }
}
