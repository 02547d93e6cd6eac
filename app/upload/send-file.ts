import { unreadable } from './check-file.ts'
import { readAnswer, type SendResult } from './upload-answer.ts'

interface Options {
  onProgress: (sent: number) => void
  signal: AbortSignal
}

/** How long nothing may move while a file goes, and how long the server may look at it once it has gone. */
const patienceMs = { sending: 60_000, checking: 180_000 }

const stuck: SendResult = { kind: 'failed', reason: 'Nothing moved for a minute.', canRetry: true }
const unanswered: SendResult = {
  kind: 'failed',
  reason: 'The server took the file and did not answer.',
  canRetry: true,
}
const unread: SendResult = { kind: 'failed', reason: unreadable, canRetry: false }

/** Sends a file as the body of image.upload. XHR, because fetch does not tell how much has gone. An aborted one never answers. */
export function sendFile(file: File, { onProgress, signal }: Options): Promise<SendResult> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout>
    const expectMore = (ms: number, otherwise: SendResult) => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        resolve(otherwise)
        request.abort()
      }, ms)
    }
    request.open('POST', '/api/trpc/image.upload')
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.setRequestHeader('x-file-name', encodeURIComponent(file.name))
    request.upload.onprogress = (event) => {
      expectMore(patienceMs.sending, stuck)
      onProgress(event.loaded)
    }
    request.upload.onload = () => expectMore(patienceMs.checking, unanswered)
    request.onload = () =>
      resolve(readAnswer(request.status, request.responseText, request.getResponseHeader('retry-after')))
    request.onerror = async () => resolve((await canRead(file)) ? readAnswer(0, '') : unread)
    request.onloadend = () => clearTimeout(timer)
    signal.addEventListener('abort', () => request.abort())
    expectMore(patienceMs.sending, stuck)
    request.send(file)
  })
}

/** False once it was deleted or changed on the disk: the browser calls that a broken connection too. */
const canRead = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
