/** What stands for a token until there is one. */
export const PLACEHOLDER = 'slu_…'

export interface Setting {
  /** As the program names it. */
  readonly name: string
  readonly value: string
}

/** What a program needs to upload here. */
export interface ClientSettings {
  readonly name: string
  /** Where in the program it goes. */
  readonly where: string
  /** In the order of the program's own form. */
  readonly fields: readonly Setting[]
  /** To be run or pasted as it stands. */
  readonly text: Setting | null
  /** To be saved and opened by the program. */
  readonly file: Setting | null
}

/** Settings of the programs that are known, for a site and one of its tokens: pure text, which nothing reads here. */
export function settingsOf(origin: string, token: string): readonly ClientSettings[] {
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

/** ShareX/sharex.github.io, docs/custom-uploader.md: from version 14.1.0 on functions are written in braces. */
function shareX(origin: string, token: string): ClientSettings {
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
    name: 'ShareX',
    where:
      'Save the file and open it: ShareX asks whether to use it. Or copy the text, and import it from the clipboard under Destinations, Custom uploader settings.',
    text: { name: 'Custom uploader', value: text },
    file: { name: `sluice-${host.replaceAll(/[^A-Za-z0-9.-]/g, '-')}.sxcu`, value: text },
  }
}

/** Fails where the server refuses, and prints why for all that. In single quotes, as every shell but Windows' own reads it:
 *  neither an origin nor a token can hold one. */
const curlWith = (token: string): string =>
  `curl -sS --fail-with-body -H 'Authorization: ${bearer(token)}' -H 'Accept: text/plain'`

function curl(origin: string, token: string): ClientSettings {
  const value = `${curlWith(token)} -F 'file=@picture.png' ${uploadUrl(origin)}`
  return {
    ...plain,
    name: 'curl',
    where: 'Prints the address of the image, or why there is none. Without the second header it answers JSON.',
    text: { name: 'Command', value },
  }
}

function flameshot(origin: string, token: string): ClientSettings {
  const upload = `${curlWith(token)} -F 'file=@-;filename=screenshot.png' ${uploadUrl(origin)}`
  return {
    ...plain,
    name: 'Flameshot',
    where:
      'Give this command a keyboard shortcut of your desktop: it copies the address of the image, or why there is none. On Wayland, end it with wl-copy.',
    text: { name: 'Command', value: `flameshot gui --raw | ${upload} | xclip -selection clipboard` },
  }
}

/** Typora puts the files' paths behind the command, and reads as many addresses from the last lines that it prints: so it
 *  ends with what is refused, or the reason would be taken for an address. */
function typora(origin: string, token: string): ClientSettings {
  // As the body, for of a form's files curl takes quotes, commas and semicolons for its own; without -g, brackets too. Behind
  // the slash it puts the name, escaped.
  const upload = `${curlWith(token).replaceAll(`'`, '"')} -g -T "$f" ${uploadUrl(origin)}/`
  return {
    ...plain,
    name: 'Typora',
    where:
      'Under Preferences, Image: choose Custom Command as the image uploader. Where the command line of Sluice is installed, “sluice upload” does the same, on Windows too.',
    text: { name: 'Command', value: `sh -c 'for f; do ${upload} || exit; done' upload` },
  }
}

function picGo(origin: string, token: string): ClientSettings {
  return {
    ...plain,
    name: 'PicGo',
    where: 'Install the plugin web-uploader, and choose it under picture beds.',
    fields: [
      { name: 'url', value: uploadUrl(origin) },
      { name: 'paramName', value: 'file' },
      { name: 'jsonPath', value: 'data.url' },
      { name: 'customHeader', value: headersJson(token) },
    ],
  }
}

function picList(origin: string, token: string): ClientSettings {
  return {
    ...plain,
    name: 'PicList',
    where: 'Choose “Advanced custom” among the picture beds; what is not named here stays empty.',
    fields: [
      { name: 'endpoint', value: uploadUrl(origin) },
      { name: 'method', value: 'POST' },
      { name: 'formDataKey', value: 'file' },
      { name: 'headers', value: headersJson(token) },
      { name: 'resDataPath', value: 'data.url' },
    ],
  }
}

function uPic(origin: string, token: string): ClientSettings {
  return {
    ...plain,
    name: 'uPic',
    where: 'Add a host of the kind Custom. Both headers go under Other fields.',
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

function lsky(origin: string, token: string): ClientSettings {
  return {
    ...plain,
    name: 'Lsky Pro',
    where: 'For whatever uploads to Lsky Pro 2, such as the plugins of PicGo and Obsidian: choose version 2.',
    fields: [
      { name: 'Host', value: origin },
      { name: 'Token', value: bearer(token) },
    ],
  }
}

function chevereto(origin: string, token: string): ClientSettings {
  return {
    ...plain,
    name: 'Chevereto',
    where: 'For whatever uploads to Chevereto 4 by its API.',
    fields: [
      { name: 'API URL', value: `${origin}/api/1/upload` },
      { name: 'API key', value: token },
      { name: 'File field', value: 'source' },
      { name: 'Result', value: 'image.url' },
    ],
  }
}

function sluice(origin: string, token: string): ClientSettings {
  return {
    ...plain,
    name: 'Command line',
    where:
      'Uploads by this token, and prints the address of the image; a script may have the variables from elsewhere. On a machine of yours “sluice login” keeps a token of its own instead.',
    fields: [
      { name: 'SLUICE_URL', value: origin },
      { name: 'SLUICE_TOKEN', value: token },
    ],
    text: {
      name: 'Command',
      value: `export SLUICE_URL='${origin}' SLUICE_TOKEN='${token}'\nsluice upload picture.png`,
    },
  }
}

const headersJson = (token: string): string => JSON.stringify({ Authorization: bearer(token) })
