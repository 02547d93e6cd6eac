import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs exiftool (Debian: libimage-exiftool-perl). Throws if it is missing or fails. */
export async function exiftool(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('exiftool', args, { maxBuffer: 512 * 1024 * 1024 })
  return stdout
}

/** Returns the tags that exiftool reads from each file, unknown ones included, as `Group:Name` by file name. */
export async function tagsIn(folder: string): Promise<Map<string, string[]>> {
  const answer = await exiftool('-j', '-G1', '-a', '-u', '-q', '-q', '-ee', '-ext', '*', folder)
  const files: readonly Record<string, unknown>[] = answer === '' ? [] : JSON.parse(answer)
  return new Map(
    files.map((tags) => [
      String(tags['System:FileName']),
      Object.keys(tags).filter((tag) => !/^(SourceFile|ExifTool:ExifToolVersion|System:)/.test(tag)),
    ]),
  )
}

/** Tags by group that describe coding, colour and orientation, and not who made the picture with what, when or where. */
const harmless: Readonly<Record<string, RegExp>> = {
  ExifTool: /^Warning$/,
  File: /^(FileType(Extension)?|MIMEType|ExifByteOrder|Image(Width|Height)|EncodingProcess|BitsPerSample|ColorComponents|YCbCrSubSampling)$/,
  Composite: /^(ImageSize|Megapixels)$/,
  JFIF: /^(JFIFVersion|ResolutionUnit|[XY]Resolution)$/,
  Adobe: /^(DCTEncodeVersion|APP14Flags[01]|ColorTransform)$/,
  PNG: /^(Image(Width|Height)|BitDepth|ColorType|Compression|Filter|Interlace|Palette|Transparency|BackgroundColor|SRGBRendering|Gamma|(WhitePoint|Red|Green|Blue)[XY]|SignificantBits|ProfileName|Animation(Frames|Plays))$/,
  'PNG-pHYs': /^Pixel(sPerUnit[XY]|Units)$/,
  'PNG-cICP': /^/,
  GIF: /^(GIFVersion|Image(Width|Height)|HasColorMap|ColorResolutionDepth|BitsPerPixel|BackgroundColor|PixelAspectRatio|AnimationIterations|FrameCount|Duration|TransparentColor)$/,
  RIFF: /^(WebP_Flags|Image(Width|Height)|BackgroundColor|AnimationLoopCount|FrameCount|Duration|VP8Version|(Horizontal|Vertical)Scale|Alpha(IsUsed|Preprocessing|Filtering|Compression))$/,
  QuickTime:
    /^(MajorBrand|MinorVersion|CompatibleBrands|HandlerType|AV1ConfigurationVersion|Seq(Profile|LevelIdx0|Tier0)|HighBitDepth|TwelveBit|Monochrome|Chroma(Format|SamplePosition)|InitialDelaySamples|ImageSpatialExtent|ImagePixelDepth|MediaData(Size|Offset)?|ColorProfiles|ColorPrimaries|TransferCharacteristics|MatrixCoefficients|VideoFullRangeFlag|Rotation|Mirroring|PixelAspectRatio|CleanAperture|AuxiliaryImageType)$/,
  Meta: /^PrimaryItemReference$/,
  IFD0: /^Orientation$/,
}

/** Returns the tags that a clean file should not have. A profile may have its colours, its well-known name and notice. */
export function telltale(tags: readonly string[]): string[] {
  return tags.filter((tag) => {
    const [group = '', name = ''] = tag.split(':')
    return !(/^ICC[-_]/.test(group) || harmless[group]?.test(name))
  })
}
