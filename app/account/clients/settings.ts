import type { clients } from '#messages/en/clients.ts'

export const TOKEN_PLACEHOLDER = 'slu_…'

export interface Setting {
  /** The program's own name for it. */
  readonly name: string
  readonly value: string
}

/** What a program needs to upload to this site. */
export interface ProgramSettings {
  /** A key of the messages `clients.hints`, which describe where the settings belong. */
  readonly id: keyof typeof clients.hints
  readonly name: string
  /** In the order of the program's own form. */
  readonly fields: readonly Setting[]
  /** A command to run, or a text to paste. */
  readonly text: string | null
  /** A file that the program opens. */
  readonly file: Setting | null
}

/** Returns the settings of all supported programs, for a site and one of its tokens. */
export function listProgramSettings(origin: string, token: string): readonly ProgramSettings[] {
  return [
    shareX(origin, token),
    curl(origin, token),
    flameshot(origin, token),
    typora(origin, token),
    picGo(origin, token),
    picList(origin, token),
    uPic(origin, token),
    lsky(origin, token),
    chevereto(origin, token),
    sluice(origin, token),
  ]
}

const plain = { fields: [], text: null, file: null }

const uploadUrl = (origin: string): string => `${origin}/api/upload`
const bearer = (token: string): string => `Bearer ${token}`

/** ShareX/sharex.github.io, docs/custom-uploader.md: since version 14.1.0, functions are written in braces. */
function shareX(origin: string, token: string): ProgramSettings {
  const { host } = new URL(origin)
  const uploader = {
    Version: '17.0.0',
    Name: `Sluice (${host})`,
    DestinationType: 'ImageUploader',
    RequestMethod: 'POST',
    RequestURL: uploadUrl(origin),
    Headers: { Authorization: bearer(token) },
    Body: 'MultipartFormData',
    FileFormName: 'file',
    URL: '{json:url}',
    ThumbnailURL: '{json:thumbnail_url}',
    DeletionURL: '{json:deletion_url}',
    ErrorMessage: '{json:message}',
  }
  const text = JSON.stringify(uploader, null, 2)
  return {
    ...plain,
    id: 'shareX',
    name: 'ShareX',
    text,
    file: { name: `sluice-${host.replaceAll(/[^A-Za-z0-9.-]/g, '-')}.sxcu`, value: text },
  }
}

/** Fails if the server refuses, and still prints the error. Single quotes work in every shell except Windows' own; neither an
 *  origin nor a token can contain one. */
const curlWith = (token: string): string =>
  `curl -sS --fail-with-body -H 'Authorization: ${bearer(token)}' -H 'Accept: text/plain'`

function curl(origin: string, token: string): ProgramSettings {
  const value = `${curlWith(token)} -F 'file=@picture.png' ${uploadUrl(origin)}`
  return {
    ...plain,
    id: 'curl',
    name: 'curl',
    text: value,
  }
}

function flameshot(origin: string, token: string): ProgramSettings {
  const upload = `${curlWith(token)} -F 'file=@-;filename=screenshot.png' ${uploadUrl(origin)}`
  return {
    ...plain,
    id: 'flameshot',
    name: 'Flameshot',
    text: `flameshot gui --raw | ${upload} | xclip -selection clipboard`,
  }
}

/** Typora appends the paths of the files to the command and reads as many URLs from the last lines of its output. The command
 *  stops at the first refusal, or Typora would take the error for a URL. */
function typora(origin: string, token: string): ProgramSettings {
  // The file is the body: in a form, curl interprets quotes, commas and semicolons of a path; without -g, brackets too. curl
  // appends the escaped file name after the slash.
  const upload = `${curlWith(token).replaceAll(`'`, '"')} -g -T "$f" ${uploadUrl(origin)}/`
  return {
    ...plain,
    id: 'typora',
    name: 'Typora',
    text: `sh -c 'for f; do ${upload} || exit; done' upload`,
  }
}

function picGo(origin: string, token: string): ProgramSettings {
  return {
    ...plain,
    id: 'picGo',
    name: 'PicGo',
    fields: [
      { name: 'url', value: uploadUrl(origin) },
      { name: 'paramName', value: 'file' },
      { name: 'jsonPath', value: 'data.url' },
      { name: 'customHeader', value: headersJson(token) },
    ],
  }
}

function picList(origin: string, token: string): ProgramSettings {
  return {
    ...plain,
    id: 'picList',
    name: 'PicList',
    fields: [
      { name: 'endpoint', value: uploadUrl(origin) },
      { name: 'method', value: 'POST' },
      { name: 'formDataKey', value: 'file' },
      { name: 'headers', value: headersJson(token) },
      { name: 'resDataPath', value: 'data.url' },
    ],
  }
}

function uPic(origin: string, token: string): ProgramSettings {
  return {
    ...plain,
    id: 'uPic',
    name: 'uPic',
    fields: [
      { name: 'API URL', value: uploadUrl(origin) },
      { name: 'Method', value: 'POST' },
      { name: 'File field', value: 'file' },
      { name: 'Authorization', value: bearer(token) },
      { name: 'Content-Type', value: 'multipart/form-data' },
      { name: 'URL path', value: '["url"]' },
    ],
  }
}

function lsky(origin: string, token: string): ProgramSettings {
  return {
    ...plain,
    id: 'lsky',
    name: 'Lsky Pro',
    fields: [
      { name: 'Host', value: origin },
      { name: 'Token', value: bearer(token) },
    ],
  }
}

function chevereto(origin: string, token: string): ProgramSettings {
  return {
    ...plain,
    id: 'chevereto',
    name: 'Chevereto',
    fields: [
      { name: 'API URL', value: `${origin}/api/1/upload` },
      { name: 'API key', value: token },
      { name: 'File field', value: 'source' },
      { name: 'Result', value: 'image.url' },
    ],
  }
}

function sluice(origin: string, token: string): ProgramSettings {
  return {
    ...plain,
    id: 'cli',
    name: 'Sluice CLI',
    fields: [
      { name: 'SLUICE_URL', value: origin },
      { name: 'SLUICE_TOKEN', value: token },
    ],
    text: `export SLUICE_URL='${origin}' SLUICE_TOKEN='${token}'\nsluice upload picture.png`,
  }
}

const headersJson = (token: string): string => JSON.stringify({ Authorization: bearer(token) })
