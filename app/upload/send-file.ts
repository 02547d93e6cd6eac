import { readAnswer, type SendResult } from './upload-answer.ts'

interface Options {
  /** The ID of the album to add the image to. */
  album: string | null
  onProgress: (sent: number) => void
  signal: AbortSignal
}

/** The longest pause while a file is sent, and the longest wait for the answer afterwards. */
const patienceMs = { sending: 60_000, checking: 180_000 }

const stuck: SendResult = { kind: 'failed', problem: { code: 'stalled' }, canRetry: true }
const unanswered: SendResult = {
  kind: 'failed',
  problem: { code: 'noAnswer' },
  canRetry: true,
}
const unreadable: SendResult = { kind: 'failed', problem: { code: 'unreadable' }, canRetry: false }

/** Sends a file as the body of image.upload. Uses XHR because fetch does not report upload progress. Never resolves if it is aborted. */
export function sendFile(file: File, { album, onProgress, signal }: Options): Promise<SendResult> {
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
    if (album !== null) request.setRequestHeader('x-album', album)
    request.upload.onprogress = (event) => {
      expectMore(patienceMs.sending, stuck)
      onProgress(event.loaded)
    }
    request.upload.onload = () => expectMore(patienceMs.checking, unanswered)
    request.onload = () =>
      resolve(readAnswer(request.status, request.responseText, request.getResponseHeader('retry-after')))
    request.onerror = async () => resolve((await canRead(file)) ? readAnswer(0, '') : unreadable)
    request.onloadend = () => clearTimeout(timer)
    signal.addEventListener('abort', () => request.abort())
    expectMore(patienceMs.sending, stuck)
    request.send(file)
  })
}

/** Returns false if the file was deleted or changed, which the browser reports as a broken connection. */
const canRead = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
