import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs exiftool (Debian: libimage-exiftool-perl); throws when it is missing or fails. */
export async function exiftool(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('exiftool', args, { maxBuffer: 512 * 1024 * 1024 })
  return stdout
}

/** What exiftool reads of a file, unknown tags too: the tags as `Group:Name`, by the file's name. */
export async function tagsIn(folder: string): Promise<Map<string, string[]>> {
  const answer = await exiftool('-j', '-G1', '-a', '-u', '-q', '-q', '-ee', folder)
  const files: readonly Record<string, unknown>[] = answer === '' ? [] : JSON.parse(answer)
  return new Map(
    files.map((tags) => [
      String(tags['System:FileName']),
      Object.keys(tags).filter((tag) => !/^(SourceFile|ExifTool:ExifToolVersion|System:)/.test(tag)),
    ]),
  )
}

/** Tags that say how a picture is coded, coloured and turned, and nothing of who made it, with what, when and where. */
const harmless =
  /^(File|Composite|JFIF|Adobe|PNG|PNG-pHYs|GIF|RIFF|QuickTime|Meta|ICC[-_].*):|^IFD0:Orientation$|^APP14:|^ExifTool:Warning$/

/** Tags of a clean file that it should not have. */
export const telltale = (tags: readonly string[]): string[] =>
  tags.filter(
    (tag) =>
      !harmless.test(tag) ||
      /Comment|Text|Exif(?!Tool|ByteOrder)|XMP|Artist|Software|Date/i.test(tag.replace(/^ICC[-_]\w+:/, '')),
  )
