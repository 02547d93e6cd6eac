import { readArguments, readChoice, readOne } from '../arguments.ts'
import { type Command, CommandFailed, print } from '../command.ts'

const roles = ['user', 'admin', 'superadmin'] as const

export const createUserCommand: Command = {
  name: 'user create',
  group: 'owner',
  summary: 'createUser',
  calls: ['[options] <name>'],
  options: { '--role <role>': 'role', '--generate': 'generate' },
  notes: ['owner', 'password'],
  async run(argv, io) {
    const { values, positionals } = readArguments(argv, {
      role: { type: 'string', default: 'user' },
      generate: { type: 'boolean', default: false },
    })
    const username = readOne(positionals, 'username')
    const role = readChoice('role', values.role, roles)
    const { openOwnerAccess, reportResult } = await import('./access.ts')
    const { newPassword } = await import('./new-password.ts')
    const { accountProblem } = await import('#server/owner/account-problem.ts')
    const password = await newPassword(io, values.generate)
    // Checked before the command creates a database.
    const problem = accountProblem(username, password)
    if (problem !== null) throw new CommandFailed('refused', problem)
    await using access = await openOwnerAccess(io, { mayBeNew: true })
    const code = reportResult(io, await access.createUser({ username, role, password }))
    if (values.generate) print(io, password)
    return code
  },
}
