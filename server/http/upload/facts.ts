import type { IncomingMessage } from 'node:http'
import { decodeHeader, parseFileName } from '#server/images/names.ts'
import type { Visibility } from '#server/images/visibility.ts'
import type { SaidOfFile } from '#server/trpc/context.ts'
import type { FilePart } from './parsing/part.ts'

/** The parts of a request's address that describe its files. */
export interface UrlFacts {
  readonly query: URLSearchParams
  /** The file name at the end of the path, URI-encoded; '' if there is none. */
  readonly pathName: string
}

/** What a request states about one file. */
export interface FileFacts {
  /** URI-encoded, not cleaned. */
  readonly filename: string
  readonly visibility: string | undefined
  readonly album: string | undefined
  /** Separated by commas. */
  readonly tags: string | undefined
  /** The image must not appear in a gallery, whatever the site's default visibility. */
  readonly isUnlisted: boolean
}

/** Collects what is stated about a file: by its part of the form, and by the request's fields, address and headers. */
export function readFacts(
  { filename }: FilePart,
  req: IncomingMessage,
  { query, pathName }: UrlFacts,
  fields: ReadonlyMap<string, string>,
): FileFacts {
  const inForm = fields.get('filename') || fields.get('file_name') || fields.get('name')
  // Lsky's permission 0, "private", only keeps an image out of the gallery: everybody with the link can open it. Clients send
  // it by default.
  const ofLsky = fields.get('permission') === '1' ? 'public' : undefined
  const name = filename || query.get('filename') || query.get('name') || inForm
  return {
    filename: name ? encodeURIComponent(name.toWellFormed()) : (readHeader(req, 'x-file-name') ?? pathName),
    visibility: fields.get('visibility') || query.get('visibility') || readHeader(req, 'x-visibility') || ofLsky,
    album: fields.get('album') || query.get('album') || decodeHeader(readHeader(req, 'x-album')),
    tags: fields.get('tags') || query.get('tags') || decodeHeader(readHeader(req, 'x-tags')),
    isUnlisted: fields.get('permission') === '0',
  }
}

/** Returns the facts in the form that an upload reads. `otherwise` is the visibility if none is stated. */
export function toSaidOfFile({ isUnlisted, ...facts }: FileFacts, otherwise: Visibility): SaidOfFile {
  const unlisted = isUnlisted && otherwise === 'public' ? 'link' : otherwise
  return { ...facts, filename: parseFileName(facts.filename) ?? '', otherwise: unlisted }
}

const readHeader = ({ headers }: IncomingMessage, name: string): string | undefined => [headers[name] ?? []].flat()[0]
