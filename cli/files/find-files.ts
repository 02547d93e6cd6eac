import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { checkContent, headBytes } from '#app/upload/check-file.ts'
import { translate } from '#messages/translate.ts'
import type { Shipment } from './deliver.ts'

export interface Findings {
  /** In the order of the arguments; the files of a folder by name. */
  readonly found: readonly Shipment[]
  /** How many files in folders are not images. */
  readonly leftOut: number
}

/** Returns the files that the arguments name, and the images in the folders that they name, recognized by their first bytes.
 *  Hidden files and links in folders are skipped. '-' is `input`. */
export async function findFiles(
  words: readonly string[],
  { signal, input }: { readonly signal: AbortSignal; input(): Promise<Shipment> },
): Promise<Findings> {
  const findings: { found: Shipment[]; leftOut: number } = { found: [], leftOut: 0 }
  for (const word of words) {
    if (word === '-') {
      findings.found.push(await input())
      continue
    }
    const facts = await stat(word).catch(() => null)
    if (facts?.isDirectory()) await addFolder(findings, word, signal)
    else if (facts?.isFile()) findings.found.push(toShipment(word, facts))
    else findings.found.push(toProblem(word, translate(facts ? 'cli.transfer.notFile' : 'cli.transfer.noFile')))
  }
  return findings
}

async function addFolder(
  findings: { found: Shipment[]; leftOut: number },
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null)
  if (!entries) return void findings.found.push(toProblem(folder, translate('cli.transfer.folderUnreadable')))
  for (const entry of entries.toSorted((a, b) => byName.compare(a.name, b.name))) {
    signal.throwIfAborted()
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await addFolder(findings, path, signal)
    else if (entry.isFile()) await addFile(findings, path)
  }
}

async function addFile(findings: { found: Shipment[]; leftOut: number }, path: string): Promise<void> {
  const file = await open(path).catch(() => null)
  if (!file) return void findings.found.push(toProblem(path, translate('cli.transfer.unreadable')))
  try {
    const problem = checkContent(await readHead(file))
    if (problem === 'unsupported') findings.leftOut += 1
    else if (problem !== null) findings.found.push(toProblem(path, translate(`upload.problem.${problem}`)))
    else findings.found.push(toShipment(path, await file.stat()))
  } finally {
    await file.close()
  }
}

async function readHead(file: FileHandle): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(new Uint8Array(headBytes), 0, headBytes, 0)
  return buffer.subarray(0, bytesRead)
}

function toShipment(word: string, { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }): Shipment {
  return { label: word, name: basename(word), path: resolve(word), size, mtimeMs }
}

const toProblem = (label: string, problem: string): Shipment => ({
  label,
  problem,
  name: '',
  path: label,
  size: 0,
  mtimeMs: 0,
})

/** Sorts IMG_9 before IMG_10. */
const byName = new Intl.Collator('en', { numeric: true })
