import type { IncomingMessage } from 'node:http'
import type { FilePart } from './part.ts'

/** What a request says of its files beside them. */
export interface Asked {
  readonly query: URLSearchParams
  /** The end of the path, where a name stands there; '' otherwise. URI-encoded. */
  readonly pathName: string
}

/** What is said of one file. */
export interface FileFacts {
  /** URI-encoded, and not cleaned. */
  readonly filename: string
  readonly visibility: string | undefined
}

/** What is said of a file by itself, and by the fields, the address and the headers of its request. */
export function factsOf(
  { filename }: FilePart,
  req: IncomingMessage,
  { query, pathName }: Asked,
  fields: ReadonlyMap<string, string>,
): FileFacts {
  const inForm = fields.get('filename') || fields.get('file_name') || fields.get('name')
  const name = filename || query.get('filename') || query.get('name') || inForm
  return {
    filename: name ? encodeURIComponent(name.toWellFormed()) : (headerOf(req, 'x-file-name') ?? pathName),
    visibility: fields.get('visibility') || query.get('visibility') || headerOf(req, 'x-visibility'),
  }
}

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined => [headers[name] ?? []].flat()[0]
