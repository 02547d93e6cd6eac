import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

interface NetworkUse {
  /** IPv6 addresses that the network has, all of this machine. */
  readonly addresses: readonly string[]
  readonly command: readonly string[]
}

/** A user namespace gives an ordinary user a network to configure. */
const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user']

/** Runs a program in a network namespace of its own. Returns its standard output. Null, with a warning, if namespaces are not
 *  permitted. */
export async function runInOwnNetwork({ addresses, command }: NetworkUse): Promise<string | null> {
  const run = promisify(execFile)
  const lines = addresses.map((address) => `address add ${address}/128 dev lo nodad`)
  const setUp = [
    'ip link set lo up',
    ...(lines.length > 0 ? [`printf '${lines.join('\\n')}\\n' | ip -6 -batch -`] : []),
  ]
  const isolated = (...then: readonly string[]) => {
    return [...asRoot, '--net', 'sh', '-c', `${setUp.join(' && ')} && exec "$@"`, 'sh', ...then]
  }
  try {
    await run('unshare', isolated('true'))
  } catch (error) {
    console.warn(`No IPv6 is tried: ${error instanceof Error ? error.message.trim() : error}`)
    return null
  }
  return (await run('unshare', isolated(...command))).stdout
}
