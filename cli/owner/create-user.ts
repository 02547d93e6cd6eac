import { readArguments, readOne } from '../arguments.ts'
import { type Command, CommandFailed, print } from '../command.ts'

const roles = ['user', 'admin', 'superadmin'] as const

export const createUser: Command = {
  name: 'user create',
  group: 'owner',
  summary: 'Makes an account.',
  usage: `Usage: sluice user create <name> [--role user|admin|superadmin] [--generate]

Run it where the server's settings are, as the user that runs the server; as
root only while it runs.
Asks for the password, or takes it from standard input.

  --role      what the account may do; user where nothing is said
  --generate  makes a password and prints it on standard output`,
  async run(argv, io) {
    const { values, positionals } = readArguments(argv, {
      role: { type: 'string', default: 'user' },
      generate: { type: 'boolean', default: false },
    })
    const username = readOne(positionals, "the account's name")
    const role = roles.find((each) => each === values.role)
    if (!role) throw new CommandFailed('usage', `--role takes ${roles.join(', ')}, not ${values.role}.`)
    const { openAccess, tell } = await import('./access.ts')
    const { newPassword } = await import('./new-password.ts')
    const { accountProblem } = await import('#server/owner/account-problem.ts')
    const password = await newPassword(io, values.generate)
    // Before there is a database that nobody has an account in.
    const problem = accountProblem(username, password)
    if (problem !== null) throw new CommandFailed('refused', problem)
    await using access = await openAccess(io, { mayBeNew: true })
    const code = tell(io, await access.createUser({ username, role, password }))
    if (values.generate) print(io, password)
    return code
  },
}
