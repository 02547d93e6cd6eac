import { type Spread, type Target, verdict } from './figures.ts'

/** A target with the figure that is compared with it. */
export interface Goal {
  readonly target: Target
  readonly figure: number
}

/** The row of one contender. */
export interface Row {
  readonly name: string
  readonly cells: readonly string[]
  readonly goals?: readonly Goal[]
  /** The figures before rounding, for --json. */
  readonly raw: unknown
}

export interface Table {
  readonly title: string
  /** What was measured and how, as paragraphs of Markdown. */
  readonly about: string
  /** The titles of the cells. Name and target have their own columns. */
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/** Formats a table as Markdown that is also readable as text. */
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

/** Summarises how many targets were reached. */
export function summaryOf(tables: readonly Table[]): string {
  const goals = tables.flatMap(({ rows }) => rows.flatMap(({ goals = [] }) => goals))
  const met = goals.filter(({ target, figure }) => verdict(target, figure) === 'met')
  return `Targets met: ${met.length} of ${goals.length}.`
}

function goalCells(goals: readonly Goal[]): readonly string[] {
  const words = goals.map(({ target: { bound, value, unit = '' } }) => `${bound} ${inWords(value)}${unit}`)
  return [words.join(', '), goals.map(({ target, figure }) => verdict(target, figure)).join(', ')]
}

/** The minimum and maximum of the rounds: '0.95 to 1.10'. */
export function spread({ min, max }: Spread): string {
  return `${min.toFixed(2)} to ${max.toFixed(2)}`
}

/** Rounds to three digits, because further ones are noise. */
export function rate(perSecond: number): string {
  return inWords(Number(perSecond.toPrecision(3)))
}

function inWords(figure: number): string {
  return figure.toLocaleString('en', { maximumFractionDigits: 2 })
}
