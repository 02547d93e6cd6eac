import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { translate } from '#messages/translate.ts'
import { readArguments, readOne } from '../arguments.ts'
import { CommandFailed, exitCodes, type Io, print, printJson } from '../command.ts'
import { withServer } from '../connection/with-server.ts'
import { findImage, readKey } from '../files/image-key.ts'

/** Prints the address of an image's page and opens it in the browser. */
export async function open(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, { print: { type: 'boolean' }, json: { type: 'boolean' } })
  const word = readOne(positionals, 'image')
  return withServer(io, {}, async (connection) => {
    const { id, slug, url } = await findImage(connection, readKey(word, connection.url))
    if (slug === null) throw new CommandFailed('failed', translate('cli.transfer.notReadable'))
    const page = `${connection.url}/image/${slug}`
    if (values.json) printJson(io, { id, page, url })
    else print(io, page)
    if (!values.print && !values.json) await openInBrowser(page, io)
    return exitCodes.done
  })
}

/** Starts $BROWSER, or the system's program for addresses. */
async function openInBrowser(page: string, { env }: Io): Promise<void> {
  const system = { darwin: 'open', win32: 'explorer' }[String(process.platform)] ?? 'xdg-open'
  const program = env.BROWSER || system
  const child = spawn(program, [page], { stdio: 'ignore', detached: true, env: { ...env, NODE_ENV: 'production' } })
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new CommandFailed('failed', translate('cli.transfer.noBrowser', { program }), { cause: error })
  }
  child.unref()
}
