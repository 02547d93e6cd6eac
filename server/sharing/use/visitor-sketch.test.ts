import { expect, test } from 'vitest'
import { addVisitor, estimateVisitors, mergeSketches, newSketch } from './visitor-sketch.ts'

function sketchOf(visitors: number, salt = 'a day', from = 0): Uint8Array<ArrayBuffer> {
  const sketch = newSketch()
  for (let at = from; at < from + visitors; at += 1) addVisitor(sketch, salt, `192.0.2.${at}`)
  return sketch
}

test.each([0, 1, 2, 10, 100])('counts %d visitors within one in twenty', (visitors) => {
  const error = Math.abs(estimateVisitors(sketchOf(visitors)) - visitors)
  expect(error).toBeLessThanOrEqual(Math.ceil(visitors / 20))
})

test.each([1_000, 10_000])('counts %d visitors within three standard errors', (visitors) => {
  const error = Math.abs(estimateVisitors(sketchOf(visitors)) / visitors - 1)
  expect(error).toBeLessThan((3 * 1.04) / Math.sqrt(512))
})

test('counts a visitor once, however often they come', () => {
  const sketch = sketchOf(1)
  for (let at = 0; at < 1_000; at += 1) addVisitor(sketch, 'a day', '192.0.2.0')
  expect(estimateVisitors(sketch)).toBe(1)
})

test('two processes’ sketches are one of all visitors', () => {
  const merged = mergeSketches(sketchOf(60), sketchOf(60, 'a day', 40))
  expect([...merged]).toEqual([...sketchOf(100)])
  expect([...mergeSketches(new Uint8Array(), sketchOf(7))]).toEqual([...sketchOf(7)])
})

test('another day’s sketch of the same visitors has nothing in common with it', () => {
  const [one, other] = [sketchOf(5), sketchOf(5, 'the next day')]
  const common = [...one].filter((rank, at) => rank > 0 && other[at] === rank)
  expect(common).toEqual([])
})
