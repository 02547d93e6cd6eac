import { readArguments } from '../arguments.ts'
import { type Command, exitCodes, type Io, print } from '../command.ts'

export const doctor: Command = {
  name: 'doctor',
  group: 'owner',
  summary: 'doctor',
  calls: [''],
  notes: ['doctor'],
  async run(argv, io) {
    readArguments(argv, {})
    return examineSite(io)
  },
}

/** Prints what is found, a line each. Returns whether all of it works. */
async function examineSite(io: Io): Promise<number> {
  const { buildClient, readSettings } = await import('./access.ts')
  const config = await readSettings(io)
  await buildClient(io)
  const { unknownSettings } = await import('#server/config.ts')
  const { examine } = await import('#server/owner/doctor/doctor.ts')
  let isBroken = false
  for await (const { level, subject, text } of examine(config, unknownSettings(io.env))) {
    print(io, `${level.padEnd('warning'.length)}  ${subject}: ${text}`)
    isBroken ||= level === 'broken'
  }
  return isBroken ? exitCodes.failed : exitCodes.done
}
