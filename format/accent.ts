/** The shades in which pages use an accent colour, each for light and dark pages, as `#rrggbb`. */
export interface AccentShades {
  /** Links, focus, progress; readable as text on every background of a page. */
  readonly accent: ThemePair
  /** A background for text in the accent's shade. */
  readonly soft: ThemePair
  /** Text on the accent's shade, as app/styles.css has it. */
  readonly onAccent: ThemePair
}

export interface ThemePair {
  readonly light: string
  readonly dark: string
}

type Rgb = readonly [red: number, green: number, blue: number]

interface Oklch {
  readonly lightness: number
  readonly chroma: number
  readonly hue: number
}

/** WCAG 2.2, 1.4.3, with a margin for rounding. */
const READABLE = 4.6

/** The least favourable backgrounds of app/styles.css: the darkest of light pages, the lightest of dark ones. */
const DARKEST_LIGHT = '#e9eeee'
const LIGHTEST_DARK = '#252d31'
const WHITE = '#ffffff'
const NEARLY_BLACK = '#0d1418'

const STEP = 0.005

/**
 * Returns the shades for a colour `#rrggbb`: of its hue, and as close to it as text in it, and text on it, stays readable. Hues
 * and chroma are those of OKLCH (Björn Ottosson, https://bottosson.github.io/posts/oklab/).
 */
export function accentShades(colour: string): AccentShades {
  const chosen = toOklch(parseHex(colour))
  const soft = {
    light: toHex({ ...chosen, lightness: 0.945, chroma: Math.min(chosen.chroma, 0.028) }),
    dark: toHex({ ...chosen, lightness: 0.3, chroma: Math.min(chosen.chroma, 0.045) }),
  }
  return {
    accent: {
      light: firstReadable(chosen, -STEP, [DARKEST_LIGHT, soft.light, WHITE]),
      dark: firstReadable(chosen, STEP, [LIGHTEST_DARK, soft.dark, NEARLY_BLACK]),
    },
    soft,
    onAccent: { light: WHITE, dark: NEARLY_BLACK },
  }
}

function firstReadable(chosen: Oklch, step: number, backgrounds: readonly string[]): string {
  for (let { lightness } = chosen; ; lightness += step) {
    const shade = toHex({ ...chosen, lightness: Math.min(1, Math.max(0, lightness)) })
    if (backgrounds.every((background) => contrast(shade, background) >= READABLE)) return shade
    if (lightness < 0 || lightness > 1) return shade
  }
}

/** Returns the contrast of two colours, from 1 to 21, as WCAG defines it. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(parseHex(one)), luminance(parseHex(other))].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const luminance = ([red, green, blue]: Rgb): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue

/** Returns linear light. */
function parseHex(colour: string): Rgb {
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

function toOklch([red, green, blue]: Rgb): Oklch {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  const lightness = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) }
}

function toRgb({ lightness, chroma, hue }: Oklch): Rgb {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

/** Returns the colour with as much of its chroma as a screen can show. */
function toHex(colour: Oklch): string {
  for (let { chroma } = colour; ; chroma -= 0.004) {
    const rgb = toRgb({ ...colour, chroma: Math.max(0, chroma) })
    if (chroma <= 0 || rgb.every((channel) => channel >= -0.0005 && channel <= 1.0005)) return spellHex(rgb)
  }
}

function spellHex(rgb: Rgb): string {
  const channels = rgb.map((value) => {
    const linear = Math.min(1, Math.max(0, value))
    const encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${channels.join('')}`
}

/** Returns the CSS properties that app/styles.css makes its colours of; none without an accent colour. */
export function accentProperties(colour: string | null): Readonly<Record<`--accent-${string}`, string>> {
  if (colour === null) return {}
  const { accent, soft } = accentShades(colour)
  return {
    '--accent-light': accent.light,
    '--accent-dark': accent.dark,
    '--accent-soft-light': soft.light,
    '--accent-soft-dark': soft.dark,
  }
}
