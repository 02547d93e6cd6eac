import type { ConfigWithoutSecret } from '#server/config.ts'
import type { Finding } from '#server/owner/doctor/finding.ts'
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
  const show = ({ level, subject, text }: Finding) => {
    print(io, `${level.padEnd('warning'.length)}  ${subject}: ${text}`)
    isBroken ||= level === 'broken'
  }
  for await (const finding of examine(config, unknownSettings(io.env))) show(finding)
  for (const text of await storedLimits(io, config)) show({ level: 'warning', subject: 'limits', text })
  return isBroken ? exitCodes.failed : exitCodes.done
}

/** Returns what is wrong with overrides and added rule sets, by what the running server declares; nothing if none runs. */
async function storedLimits(io: Io, { dataDir }: ConfigWithoutSecret): Promise<readonly string[]> {
  const { explainErrors } = await import('./explain-errors.ts')
  const { connectToServer } = await import('./running-server.ts')
  return explainErrors(io, async () => {
    await using running = await connectToServer(dataDir, io.signal)
    const outcome = await running?.examineLimits()
    if (!outcome) return []
    return 'refused' in outcome ? [outcome.refused] : (outcome.printed?.split('\n') ?? [])
  })
}
