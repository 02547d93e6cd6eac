import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { accentProperties, accentShades, contrast } from './accent.ts'

/** The backgrounds of app/styles.css that text in the accent's shade stands on, in sRGB. */
const LIGHT = ['#f8fafa', '#ffffff', '#eef1f1', '#ebefef']
const DARK = ['#0b1114', '#151c20', '#1d2529', '#232b2f', '#060b0d']

test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrast('#ff0000', '#ff0000')).toBe(1)
})

describe('the shades of an accent colour', () => {
  it('are readable as text, and under text, in both themes, whatever the colour', () => {
    const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
    fc.assert(
      fc.property(colour, (chosen) => {
        const { accent, soft, onAccent } = accentShades(chosen)
        const pairs = [
          ...[...LIGHT, soft.light, onAccent.light].map((background) => [accent.light, background] as const),
          ...[...DARK, soft.dark, onAccent.dark].map((background) => [accent.dark, background] as const),
        ]
        expect(pairs.filter(([text, background]) => contrast(text, background) < 4.5)).toEqual([])
      }),
      { numRuns: 300, examples: [['#ffffff'], ['#000000'], ['#ffff00'], ['#0000ff'], ['#808080'], ['#00ff00']] },
    )
  })

  it('leave a colour as it is where it can be read', () => {
    expect(accentShades('#0b5563').accent.light).toBe('#0b5563')
    expect(accentShades('#7fd6e3').accent.dark).toBe('#7fd6e3')
  })

  it('are properties of a style, and none without a colour', () => {
    expect(accentProperties(null)).toEqual({})
    expect(accentProperties('#0b5563')).toMatchObject({ '--accent-light': '#0b5563' })
  })
})
