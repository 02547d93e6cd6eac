import { expect, test } from 'vitest'
import {
  fitScale,
  limitScale,
  MOST,
  measureDistance,
  nextStep,
  shareWithin,
  toggledScale,
  wheelFactor,
} from './scales.ts'
import { firstZoom, writeSizes, writeWidth } from './zoom.ts'

test('a picture fits into the stage without being enlarged', () => {
  expect(fitScale({ width: 4000, height: 2000 }, { width: 1000, height: 1000 })).toBe(0.25)
  expect(fitScale({ width: 400, height: 3200 }, { width: 1000, height: 800 })).toBe(0.25)
  expect(fitScale({ width: 40, height: 20 }, { width: 1000, height: 1000 })).toBe(1)
})

test('only long pictures open by their width', () => {
  expect(firstZoom({ width: 400, height: 3200 })).toBe('width')
  expect(firstZoom({ width: 1170, height: 2532 })).toBe('fit')
  expect(firstZoom({ width: 20, height: 200 })).toBe('fit')
  expect(firstZoom({ width: 3200, height: 400 })).toBe('fit')
})

test('steps go in and out, and stay within the bounds', () => {
  expect([nextStep(0.43, 'in'), nextStep(0.43, 'out')]).toEqual([0.5, 0.33])
  expect([nextStep(1, 'in'), nextStep(1, 'out')]).toEqual([1.25, 0.8])
  expect(nextStep(0.999, 'in')).toBe(1.25)
  expect([nextStep(MOST, 'in'), nextStep(0.01, 'out')]).toEqual([MOST, 0.05])
  let scale = 0.05
  for (let step = 0; step < 15; step += 1) scale = nextStep(scale, 'in')
  expect(scale).toBe(MOST)
})

test('zooming out ends at the whole picture, and zooming in begins even below it', () => {
  expect(limitScale(0.2, 0.3, 0.25)).toBe('fit')
  expect(limitScale(0.26, 0.3, 0.25)).toBe(0.26)
  // The stage has a margin while the whole picture is shown.
  expect(limitScale(0.245, 0.24, 0.25)).toBe(0.245)
  expect(limitScale(20, 7, 0.25)).toBe(MOST)
})

test('a double click zooms to full size, or to twice of it', () => {
  expect([toggledScale(0.3), toggledScale(1), toggledScale(3), toggledScale(7)]).toEqual([1, 2, 6, MOST])
})

test('a wheel zooms alike whatever its unit, and there and back again', () => {
  const turn = (deltaY: number, deltaMode = 0, ctrlKey = false) => wheelFactor({ deltaY, deltaMode, ctrlKey })
  expect(turn(-100)).toBeCloseTo(1.2214, 4)
  expect(turn(-100) * turn(100)).toBeCloseTo(1, 10)
  expect(turn(-3, 1)).toBe(turn(-99))
  expect(turn(-10_000)).toBe(turn(-200))
  expect(turn(-5, 0, true)).toBeCloseTo(1.0513, 4)
  expect(turn(-100, 0, true)).toBe(turn(-100))
})

test('a point keeps its place in the picture, and none lies outside', () => {
  const box = { left: 100, top: 50, width: 200, height: 100 }
  expect(shareWithin({ x: 150, y: 100 }, box)).toEqual({ x: 0.25, y: 0.5 })
  expect(shareWithin({ x: 0, y: 500 }, box)).toEqual({ x: 0, y: 1 })
  expect(measureDistance({ x: 0, y: 0 }, { x: 30, y: 40 })).toBe(50)
  expect(measureDistance({ x: 1, y: 1 }, { x: 1, y: 1 })).toBe(1)
})

test('the browser learns how wide the picture is shown, and so chooses the rendering', () => {
  const size = { width: 400, height: 3200 }
  expect(writeSizes(size, 1.5)).toBe('600px')
  expect(writeSizes(size, 'width')).toBe('(min-width: 64rem) min(100vw - 22.5rem, 400px), min(100vw, 400px)')
  expect(writeWidth(size, 'width')).toBe('min(100%, 400px)')
  expect(writeWidth(size, 0.5)).toBe('200px')
})
