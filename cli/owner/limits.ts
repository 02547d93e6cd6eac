import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { translate } from '#messages/translate.ts'
import { readArguments, readNone, readOne } from '../arguments.ts'
import { type Command, CommandFailed, type Io } from '../command.ts'

export const exportLimits: Command = {
  name: 'limits export',
  group: 'owner',
  summary: 'exportLimits',
  calls: [''],
  notes: ['owner', 'exportLimits'],
  async run(argv, io) {
    readNone(readArguments(argv, {}).positionals)
    const { openOwnerAccess, reportResult } = await import('./access.ts')
    await using access = await openOwnerAccess(io)
    return reportResult(io, await access.exportLimits())
  },
}

export const importLimits: Command = {
  name: 'limits import',
  group: 'owner',
  summary: 'importLimits',
  calls: ['[options] <file|->'],
  options: { '--dry-run': 'dryRun' },
  notes: ['owner', 'importLimits'],
  async run(argv, io) {
    const { values, positionals } = readArguments(argv, { 'dry-run': { type: 'boolean', default: false } })
    const file = await readJson(readOne(positionals, 'limitsFile'), io)
    const { openOwnerAccess, reportResult } = await import('./access.ts')
    await using access = await openOwnerAccess(io)
    return reportResult(io, await access.importLimits({ file, dryRun: values['dry-run'] }))
  },
}

async function readJson(path: string, io: Io): Promise<unknown> {
  const json = path === '-' ? await text(io.stdin) : await readFile(path, 'utf8')
  try {
    return JSON.parse(json)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new CommandFailed('failed', translate('cli.owner.notJson', { path, problem }))
  }
}
