import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readArguments, readOne } from '../arguments.ts'
import { CommandFailed, exitCodes, type Io, print, printJson } from '../command.ts'
import { withServer } from '../connection/with-server.ts'
import { findImage, readKey } from '../files/image-key.ts'

/** Prints the address of an image's page, and opens it in the browser. */
export async function open(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, { print: { type: 'boolean' }, json: { type: 'boolean' } })
  const word = readOne(positionals, 'which image to open, by id or address')
  return withServer(io, { waits: true }, async (connection) => {
    const { id, slug, url } = await findImage(connection, readKey(word, connection.url))
    if (slug === null) throw new CommandFailed('failed', 'This image is not for you to read.')
    const page = `${connection.url}/image/${slug}`
    if (values.json) printJson(io, { id, page, url })
    else print(io, page)
    if (!values.print && !values.json) await openInBrowser(page, io)
    return exitCodes.done
  })
}

/** By $BROWSER, or by what the system opens addresses with. */
async function openInBrowser(page: string, { env }: Io): Promise<void> {
  const system = { darwin: 'open', win32: 'explorer' }[String(process.platform)] ?? 'xdg-open'
  const program = env.BROWSER || system
  const child = spawn(program, [page], { stdio: 'ignore', detached: true, env: { ...env, NODE_ENV: 'production' } })
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new CommandFailed('failed', `${program} does not start: open the address yourself.`, { cause: error })
  }
  child.unref()
}
