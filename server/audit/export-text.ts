import type { AuditItem } from './entry.ts'

export const exportFormats = ['csv', 'json'] as const
export type ExportFormat = (typeof exportFormats)[number]

const columns: readonly (readonly [string, (item: AuditItem) => string | number | null])[] = [
  ['at', ({ at }) => at],
  ['until', ({ until }) => until],
  ['times', ({ times }) => times],
  ['action', ({ action }) => action],
  ['actor', ({ actor }) => actor.name],
  ['actorId', ({ actor }) => actor.id],
  ['account', ({ account }) => account?.name ?? null],
  ['accountId', ({ account }) => account?.id ?? null],
  ['target', ({ target }) => target],
  ['before', ({ before }) => (before === null ? null : JSON.stringify(before))],
  ['after', ({ after }) => (after === null ? null : JSON.stringify(after))],
  ['address', ({ address }) => address],
  ['userAgent', ({ userAgent }) => userAgent],
  ['token', ({ token }) => token?.name ?? null],
  ['requestId', ({ requestId }) => requestId],
]

interface Part {
  readonly isFirst: boolean
  readonly isLast: boolean
  /** Whether an earlier part had entries: a filter may leave a part without any. */
  readonly continues: boolean
}

/** Returns a part of an export. The parts of a CSV file, or of a JSON array, are joined as they are. */
export function exportText(
  format: ExportFormat,
  items: readonly AuditItem[],
  { isFirst, isLast, continues }: Part,
): string {
  if (format === 'csv') {
    const lines = items.map((item) => csvLine(columns.map(([, read]) => read(item))))
    return [...(isFirst ? [`\ufeff${csvLine(columns.map(([name]) => name))}`] : []), ...lines].join('')
  }
  const entries = items.map((item) => JSON.stringify(item)).join(',\n')
  const joint = continues && entries !== '' ? ',\n' : ''
  return `${isFirst ? '[\n' : ''}${joint}${entries}${isLast ? '\n]\n' : ''}`
}

const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Spreadsheets run cells that begin like this as formulas, also after a space or in full width. An apostrophe makes them text
 *  (OWASP, CSV Injection). */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠|%]|^[\t\r\n]/u

function csvCell(value: string | number | null): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value ?? '')
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
