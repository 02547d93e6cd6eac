import { type Spread, type Target, verdict } from './figures.ts'

/** What is to be reached, and the figure that does or does not. */
export interface Goal {
  readonly target: Target
  readonly figure: number
}

/** One contender's line. */
export interface Row {
  readonly name: string
  readonly cells: readonly string[]
  readonly goals?: readonly Goal[]
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
  const hasGoals = rows.some(({ goals = [] }) => goals.length > 0)
  const head = ['', ...columns, ...(hasGoals ? ['to reach', ''] : [])]
  const lines = rows.map(({ name, cells, goals = [] }) => [name, ...cells, ...(hasGoals ? goalCells(goals) : [])])
  const widths = head.map((_, column) => Math.max(3, ...[head, ...lines].map((line) => line[column]?.length ?? 0)))
  const isText = (column: number) => column === 0
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (isText(i) ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, i) => (isText(i) ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [`## ${title}`, '', about, '', line(head), rule, ...lines.map(line)].join('\n')
}

/** How many targets were reached. */
export function summaryOf(tables: readonly Table[]): string {
  const goals = tables.flatMap(({ rows }) => rows.flatMap(({ goals = [] }) => goals))
  const met = goals.filter(({ target, figure }) => verdict(target, figure) === 'met')
  return `Targets met: ${met.length} of ${goals.length}.`
}

function goalCells(goals: readonly Goal[]): readonly string[] {
  const words = goals.map(({ target: { bound, value, unit = '' } }) => `${bound} ${inWords(value)}${unit}`)
  return [words.join(', '), goals.map(({ target, figure }) => verdict(target, figure)).join(', ')]
}

/** The least and the most of the rounds: '0.95 to 1.10'. */
export function spread({ min, max }: Spread): string {
  return `${min.toFixed(2)} to ${max.toFixed(2)}`
}

/** Three digits of it, for the others are the machine's mood. */
export function rate(perSecond: number): string {
  return inWords(Number(perSecond.toPrecision(3)))
}

function inWords(figure: number): string {
  return figure.toLocaleString('en', { maximumFractionDigits: 2 })
}
