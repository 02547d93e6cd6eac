import { readArguments, readOne } from '../arguments.ts'
import { type Command, print } from '../command.ts'

export const resetPassword: Command = {
  name: 'admin reset-password',
  group: 'owner',
  summary: 'Gives an account a new password.',
  usage: `Usage: sluice admin reset-password <name> [--generate]

Run it where the server's settings are, as the user that runs the server; as
root only while it runs.
Asks for the password, or takes it from standard input. All sessions, API
tokens, deletion links and invites of the account end. It works while the server
runs and while it does not.

  --generate  makes a password and prints it on standard output`,
  async run(argv, io) {
    const { values, positionals } = readArguments(argv, { generate: { type: 'boolean', default: false } })
    const username = readOne(positionals, 'whose password')
    const { openAccess, tell } = await import('./access.ts')
    const { newPassword } = await import('./new-password.ts')
    await using access = await openAccess(io)
    const password = await newPassword(io, values.generate)
    const code = tell(io, await access.resetPassword({ username, password }))
    if (values.generate) print(io, password)
    return code
  },
}
