import type { RefusedCall } from '#app/limits/refusal.ts'
import { refusalOfHeaders } from '#app/limits/refusal-of-headers.ts'
import { toPath } from '#app/shell/safe-path.ts'

/** A limit refused to send the zip for now. */
export class ZipRefused extends Error {
  override readonly name = 'ZipRefused'
  readonly refusal: RefusedCall

  constructor(refusal: RefusedCall) {
    super('refused')
    this.refusal = refusal
  }
}

interface Options {
  readonly signal: AbortSignal
  /** Called with the bytes received so far. */
  readonly onProgress: (bytes: number) => void
}

/** Downloads a zip as a file, and resolves when all of it has arrived. Throws ZipRefused, or an error of the connection. */
export async function downloadPart(url: string, name: string, { signal, onProgress }: Options): Promise<void> {
  const answer = await fetch(toPath(url), { signal })
  if (answer.status === 429) throw new ZipRefused(refusalOfHeaders(answer.headers))
  if (!answer.ok || !answer.body) throw new Error(`status ${answer.status}`)
  let bytes = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength
      onProgress(bytes)
      controller.enqueue(chunk)
    },
  })
  const blob = await new Response(answer.body.pipeThrough(counted)).blob()
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser may read the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
