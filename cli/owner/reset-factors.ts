import { readArguments, readOne } from '../arguments.ts'
import type { Command } from '../command.ts'

export const resetFactorsCommand: Command = {
  name: 'admin reset-factors',
  group: 'owner',
  summary: 'resetFactors',
  calls: ['<name>'],
  notes: ['owner', 'resetFactors'],
  async run(argv, io) {
    const { positionals } = readArguments(argv, {})
    const username = readOne(positionals, 'username')
    const { openOwnerAccess, reportResult } = await import('./access.ts')
    await using access = await openOwnerAccess(io)
    return reportResult(io, await access.resetFactors({ username }))
  },
}
