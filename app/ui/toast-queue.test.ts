import { afterEach, expect, test, vi } from 'vitest'
import { dismiss, queue, toast } from './toast-queue.ts'

const shown = () => queue.visibleToasts.map(({ content }) => content.title)
const action = { label: 'Undo', run: () => {} }

afterEach(() => queue.clear())

test('shows one toast at a time: one with Undo returns after later ones are gone', () => {
  toast({ title: 'one', action })
  const two = toast({ title: 'two', action })
  toast({ title: 'a sentence' })
  toast({ title: 'another' })
  expect(shown()).toEqual(['another'])
  const last = toast({ title: 'held back' }, { stays: true })
  expect(shown()).toEqual(['held back'])
  dismiss(last)
  expect(shown()).toEqual(['two'])
  dismiss(two)
  expect(shown()).toEqual(['one'])
})

test('notifies the caller when its toast is gone', () => {
  const onClose = vi.fn()
  dismiss(toast({ title: 'one', action }, { onClose }))
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(shown()).toEqual([])
})
