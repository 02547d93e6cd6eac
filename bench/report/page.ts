import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { machineLines } from './machine.ts'
import type { Options } from './options.ts'
import { asMarkdown, type Table } from './table.ts'

const DOCS = join(import.meta.dirname, '../../docs')

/** A benchmark with a page of its own. */
export interface Page {
  readonly title: string
  /** The npm script that runs it. */
  readonly script: string
  /** In docs/. */
  readonly file: string
}

/** Prints the tables. Writes the page and the raw figures if the options say so. */
export function publish(
  { title, script, file }: Page,
  tables: readonly Table[],
  { write, jsonFile }: Pick<Options, 'write' | 'jsonFile'>,
): void {
  const text = `${tables.map(asMarkdown).join('\n\n')}\n`
  console.log(text)
  if (jsonFile) writeFileSync(jsonFile, JSON.stringify({ machine: machineLines(), tables }, null, 2))
  const head = `# ${title}\n\n\`npm run ${script} -- --write\`\n\n${bulleted(machineLines())}`
  if (write) writeFileSync(join(DOCS, file), `${head}\n\n${text}`)
}

/** Lines as a list in Markdown. */
export function bulleted(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n')
}
