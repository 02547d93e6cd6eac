import type { IncomingMessage } from 'node:http'
import { parseFileName } from '#server/images/names.ts'
import type { Visibility } from '#server/images/visibility.ts'
import type { SaidOfFile } from '#server/trpc/context.ts'
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
  /** It is to be in no gallery, whatever the site does with images of which nothing is said. */
  readonly isUnlisted: boolean
}

/** What is said of a file by itself, and by the fields, the address and the headers of its request. */
export function factsOf(
  { filename }: FilePart,
  req: IncomingMessage,
  { query, pathName }: Asked,
  fields: ReadonlyMap<string, string>,
): FileFacts {
  const inForm = fields.get('filename') || fields.get('file_name') || fields.get('name')
  // What Lsky calls private, 0, is in no gallery alone: its link opens it for everybody, and clients send it unasked.
  const ofLsky = fields.get('permission') === '1' ? 'public' : undefined
  const name = filename || query.get('filename') || query.get('name') || inForm
  return {
    filename: name ? encodeURIComponent(name.toWellFormed()) : (headerOf(req, 'x-file-name') ?? pathName),
    visibility: fields.get('visibility') || query.get('visibility') || headerOf(req, 'x-visibility') || ofLsky,
    isUnlisted: fields.get('permission') === '0',
  }
}

/** Returns the facts as an upload reads them. `otherwise`: the visibility where nothing is said. */
export function saidOf({ filename, visibility, isUnlisted }: FileFacts, otherwise: Visibility): SaidOfFile {
  const unlisted = isUnlisted && otherwise === 'public' ? 'link' : otherwise
  return { filename: parseFileName(filename) ?? '', visibility, otherwise: unlisted }
}

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined => [headers[name] ?? []].flat()[0]
