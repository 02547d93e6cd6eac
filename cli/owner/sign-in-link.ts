import { readArguments, readOne } from '../arguments.ts'
import type { Command } from '../command.ts'

export const signInLinkCommand: Command = {
  name: 'admin sign-in-link',
  group: 'owner',
  summary: 'signInLink',
  calls: ['<name>'],
  notes: ['owner', 'signInLink'],
  async run(argv, io) {
    const { positionals } = readArguments(argv, {})
    const username = readOne(positionals, 'username')
    const { openOwnerAccess, reportResult } = await import('./access.ts')
    await using access = await openOwnerAccess(io)
    return reportResult(io, await access.signInLink({ username }))
  },
}
