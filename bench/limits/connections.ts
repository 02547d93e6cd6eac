import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  readonly body: string
}

/**
 * Keep-alive connections, each with one request at a time. Parses only the ends of responses, because the server is
 * measured, not the client.
 */
export class Connections implements Disposable {
  readonly #port: number
  readonly #idle: Socket[] = []
  readonly #all: Socket[] = []

  constructor(port: number) {
    this.#port = port
  }

  async get(path: string, headers = ''): Promise<Answer> {
    const socket = this.#idleSocket() ?? (await this.#open())
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    let text = ''
    const read = (chunk: string) => {
      text += chunk
      const answer = wholeAnswer(text)
      if (answer) resolve(answer)
    }
    const broken = () => reject(new Error('the server closed a connection'))
    socket.on('data', read).once('close', broken)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${this.#port}\r\n${headers}\r\n`)
    const answer = await promise
    socket.off('data', read).off('close', broken)
    this.#idle.push(socket)
    return answer
  }

  [Symbol.dispose](): void {
    for (const socket of this.#all) socket.destroy()
  }

  /** Used in rotation, so that no connection is idle long enough for the server to close it. Closed ones are dropped. */
  #idleSocket(): Socket | null {
    for (let socket = this.#idle.shift(); socket; socket = this.#idle.shift()) {
      if (!socket.destroyed && socket.readable) return socket
    }
    return null
  }

  async #open(): Promise<Socket> {
    const socket = connect(this.#port, '127.0.0.1').setNoDelay().setEncoding('latin1')
    this.#all.push(socket)
    await once(socket, 'connect')
    return socket
  }
}

/** Returns null until the response is complete. */
function wholeAnswer(text: string): Answer | null {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [head, body] = [text.slice(0, end), text.slice(end + 4)]
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  const isWhole = length === undefined ? body.endsWith('0\r\n\r\n') : body.length >= Number(length)
  return isWhole ? { status: Number(head.slice(9, 12)), body } : null
}
