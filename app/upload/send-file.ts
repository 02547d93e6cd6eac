import { type Answer, readAnswer } from './upload-answer.ts'

interface Options {
  onProgress: (sent: number) => void
  signal: AbortSignal
}

/** Sends a file as the body of image.upload. XHR, because fetch does not tell how much has gone. An aborted one never answers. */
export function sendFile(file: File, { onProgress, signal }: Options): Promise<Answer> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/api/trpc/image.upload')
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.setRequestHeader('x-file-name', encodeURIComponent(file.name))
    request.upload.onprogress = (event) => onProgress(event.loaded)
    request.onload = () =>
      resolve(readAnswer(request.status, request.responseText, request.getResponseHeader('retry-after')))
    request.onerror = () => resolve(readAnswer(0, ''))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}
