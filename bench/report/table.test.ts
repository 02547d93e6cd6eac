import { expect, test } from 'vitest'
import { atLeast } from './figures.ts'
import { asMarkdown, summaryOf } from './table.ts'

const table = {
  title: 'A table',
  about: 'What it is.',
  columns: ['of bare'],
  rows: [
    { name: 'bare', cells: ['1.00'], raw: null },
    { name: 'fixed-window', cells: ['1.60'], goals: [{ target: atLeast(1.5), figure: 1.6 }], raw: null },
    { name: 'log', cells: ['0.70'], goals: [{ target: atLeast(0.8), figure: 0.7 }], raw: null },
  ],
}

test('each figure is followed by its target and whether it was reached', () => {
  expect(asMarkdown(table).split('\n').slice(4)).toEqual([
    '|              | of bare |     to reach |       |',
    '|--------------|--------:|-------------:|------:|',
    '| bare         |    1.00 |              |       |',
    '| fixed-window |    1.60 | at least 1.5 |   met |',
    '| log          |    0.70 | at least 0.8 | short |',
  ])
  expect(summaryOf([table])).toBe('Targets met: 1 of 2.')
})
