import type { Duration } from '#format/durations.ts'
import { formatDuration, formatWindow } from '#format/durations.ts'
import type { Mode, OnStoreFailure, Rule } from '#server/limits/rule-set.ts'
import { amountWords } from './overrides/spelling.ts'
import { subjectNamed } from './subjects/subject-words.ts'
import type { DeclaredTerms, OverrideTarget, OverrideTerms } from './types.ts'

/** A declared rule in words: `1,200 per minute`, `60 per minute, 10 at once`. */
export function ruleWords(rule: Rule): string {
  if ('concurrent' in rule) return `${amountWords(rule.concurrent)} at the same time`
  const isCalendar = 'align' in rule && rule.align !== undefined && rule.align !== 'window'
  const window = isCalendar ? `calendar ${rule.align}` : formatWindow(rule.window)
  const held =
    rule.algorithm === 'token-bucket' ? rule.burst : rule.algorithm === 'leaky-bucket' ? rule.capacity : undefined
  return [
    `${amountWords(rule.limit)} per ${window}`,
    ...(held === undefined ? [] : [`${amountWords(held)} at once`]),
    ...(rule.blockFor === undefined ? [] : [`then none for ${formatDuration(rule.blockFor)}`]),
  ].join(', ')
}

/** How a rule counts: its algorithm, and what of it is not as usual. */
export function countingWords(rule: Rule): string {
  if ('concurrent' in rule)
    return rule.lease === undefined ? 'concurrency' : `concurrency, a lease of ${formatDuration(rule.lease)}`
  const { algorithm = 'sliding-window-log' } = rule
  return [
    algorithm,
    ...('samples' in rule && rule.samples !== undefined ? [`${rule.samples} samples`] : []),
    ...('oldest' in rule && rule.oldest === 'whole' ? ['the oldest whole'] : []),
    ...('align' in rule && rule.align === 'window' ? ['aligned'] : []),
    ...('timeZone' in rule && rule.timeZone !== undefined ? [rule.timeZone] : []),
  ].join(', ')
}

export const modeWords = {
  enforce: 'refuses what is too much',
  shadow: 'counts only, refuses nothing (shadow)',
  degrade: 'lets it pass for less (degrade)',
} as const satisfies Record<Mode, string>

export const failureWords = {
  local: 'each process counts by itself',
  deny: 'refuses everything',
  allow: 'lets everything pass',
} as const satisfies Record<OnStoreFailure, string>

export const waitWords = (wait: Duration | null): string =>
  wait === null ? 'does not wait' : `waits up to ${formatDuration(wait)}`

/** A rule, or another term, in words; a rule with how it counts. */
export interface TermLine {
  readonly words: string
  readonly detail: string | null
}

/** One term, said twice. */
export interface Comparison {
  readonly term: string
  readonly declared: readonly TermLine[]
  readonly holds: readonly TermLine[]
  readonly differs: boolean
}

/** What is declared beside what holds, term by term, in words. */
export function compareTerms(declared: DeclaredTerms, holds: DeclaredTerms): readonly Comparison[] {
  const before = linesOf(declared)
  return linesOf(holds).map(({ term, lines }, index) => {
    const own = before[index]?.lines ?? []
    return { term, declared: own, holds: lines, differs: JSON.stringify(own) !== JSON.stringify(lines) }
  })
}

/** Whether one of the lines says the same. */
export const isAmong = (line: TermLine, lines: readonly TermLine[]): boolean =>
  lines.some(({ words, detail }) => words === line.words && detail === line.detail)

/** An override, or what one was, in a line. */
export function termsWords({ rules, mode, wait, onStoreFailure }: OverrideTerms): string {
  return [
    ...(rules ? [rules.map(ruleWords).join(', ')] : []),
    ...(mode ? [modeWords[mode]] : []),
    ...(wait === undefined ? [] : [waitWords(wait)]),
    ...(onStoreFailure ? [`while the store fails ${failureWords[onStoreFailure]}`] : []),
  ].join('; ')
}

/** Whose calls an override is for. */
export function targetWords(target: OverrideTarget, subjectName: string | null = null): string {
  if (target.kind === 'all') return 'everybody'
  return target.kind === 'role' ? `every ${target.role}` : subjectNamed(target.subject, subjectName)
}

export const sameTarget = (a: OverrideTarget, b: OverrideTarget): boolean => targetKey(a) === targetKey(b)

/** One text for each target. */
export function targetKey(target: OverrideTarget): string {
  if (target.kind === 'all') return 'all'
  return target.kind === 'role' ? `role ${target.role}` : `subject ${target.subject}`
}

const plain = (words: string): TermLine => ({ words, detail: null })

const linesOf = ({ rules, mode, wait, onStoreFailure }: DeclaredTerms) => [
  { term: 'Rules', lines: rules.map((rule) => ({ words: ruleWords(rule), detail: countingWords(rule) })) },
  { term: 'Mode', lines: [plain(modeWords[mode])] },
  { term: 'Waiting', lines: [plain(waitWords(wait))] },
  { term: 'While the store fails', lines: [plain(failureWords[onStoreFailure])] },
]
