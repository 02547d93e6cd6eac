import { type Spread, type Target, verdict } from './figures.ts'
import type { Measured } from './rounds.ts'

/** One contender's line. */
export interface Row {
  readonly name: string
  readonly cells: readonly string[]
  /** What is to be reached, and the figure that does or does not. */
  readonly goal?: { readonly target: Target; readonly figure: number } | undefined
  /** The figures before they were rounded, for --json. */
  readonly raw: unknown
}

export interface Table {
  readonly title: string
  /** What was measured, and how; paragraphs of Markdown. */
  readonly about: string
  /** What the cells are. Name and target have columns of their own. */
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/** A table as Markdown, to read as text too. */
export function asMarkdown({ title, about, columns, rows }: Table): string {
  const hasGoals = rows.some(({ goal }) => goal)
  const head = ['', ...columns, ...(hasGoals ? ['to reach', ''] : [])]
  const lines = rows.map(({ name, cells, goal }) => [name, ...cells, ...(hasGoals ? goalCells(goal) : [])])
  const widths = head.map((_, column) => Math.max(3, ...[head, ...lines].map((line) => line[column]?.length ?? 0)))
  const isText = (column: number) => column === 0
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (isText(i) ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, i) => (isText(i) ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [`## ${title}`, '', about, '', line(head), rule, ...lines.map(line)].join('\n')
}

function goalCells(goal: Row['goal']): readonly string[] {
  if (!goal) return ['', '']
  const { bound, value } = goal.target
  return [`${bound} ${inWords(value)}`, verdict(goal.target, goal.figure)]
}

/** A contender's rate and its ratio to what stood beside it; the ratio is what is to reach the target. */
export function rateRow({ contender, perSecond, ratio, callsPerMetered }: Measured): Row {
  const { name, target } = contender
  const metered = callsPerMetered === null ? [] : [oneDecimal(callsPerMetered)]
  return {
    name,
    cells: [rate(perSecond.median), ratio.median.toFixed(2), spread(ratio), ...metered],
    goal: target && { target, figure: ratio.median },
    raw: { perSecond, ratio, callsPerMetered },
  }
}

export function spread({ min, max }: Spread, digits = 2): string {
  return `${min.toFixed(digits)} to ${max.toFixed(digits)}`
}

/** Three digits of it, for the others are the machine's mood. */
export function rate(perSecond: number): string {
  return inWords(Number(perSecond.toPrecision(3)))
}

function oneDecimal(figure: number): string {
  return figure < 1 ? figure.toFixed(2) : figure.toFixed(1)
}

function inWords(figure: number): string {
  return figure.toLocaleString('en', { maximumFractionDigits: 2 })
}
