import { readArguments, readOne } from '../arguments.ts'
import { type Command, print } from '../command.ts'

export const resetPasswordCommand: Command = {
  name: 'admin reset-password',
  group: 'owner',
  summary: 'resetPassword',
  calls: ['[options] <name>'],
  options: { '--generate': 'generate' },
  notes: ['owner', 'password', 'resetPassword'],
  async run(argv, io) {
    const { values, positionals } = readArguments(argv, { generate: { type: 'boolean', default: false } })
    const username = readOne(positionals, 'username')
    const { openOwnerAccess, reportResult } = await import('./access.ts')
    const { newPassword } = await import('./new-password.ts')
    await using access = await openOwnerAccess(io)
    const password = await newPassword(io, values.generate)
    const code = reportResult(io, await access.resetPassword({ username, password }))
    if (values.generate) print(io, password)
    return code
  },
}
