import { describe, expect, test } from 'bun:test'
import { figuresText, withFigures } from './document.ts'
import { isToldApart, quarters, ratios, shownRatio } from './figures.ts'

describe('quarters', () => {
  test('are those of what was measured, in whatever order', () => {
    expect(quarters([5, 1, 3, 2, 4])).toEqual({ low: 2, median: 3, high: 4 })
    expect(quarters([1, 2])).toEqual({ low: 1.25, median: 1.5, high: 1.75 })
    expect(quarters([7])).toEqual({ low: 7, median: 7, high: 7 })
  })

  test('of a ratio are those of pairs, turn by turn: what slows a turn down meets both', () => {
    expect(ratios([200, 20, 2], [100, 10, 1])).toEqual({ low: 2, median: 2, high: 2 })
  })

  test('that lie further apart than the ratio is away from 1 are no figure, and say so', () => {
    expect(isToldApart({ low: 1.15, median: 1.2, high: 1.25 })).toBe(true)
    expect(shownRatio({ low: 1.15, median: 1.2, high: 1.25 })).toBe('1.20 (1.15–1.25)')
    expect(isToldApart({ low: 0.9, median: 0.95, high: 1.1 })).toBe(false)
    expect(shownRatio({ low: 0.9, median: 0.95, high: 1.1 })).toBe('0.95 (0.90–1.10), not told apart')
  })
})

describe('what a run writes', () => {
  const text = (rate: string) =>
    figuresText(
      {
        title: 'Two',
        how: ['1 round', 'Node 20'],
        headings: ['gateway', 'sends'],
        rows: [['A', rate]],
        notes: ['A: on a disk.'],
      },
      ['2 cores', 'a disk'],
    )
  const document = '# Speed\n\nBy hand.\n\n## One\n\nOf one.\n\n## Two\n\nOf two.\n\n## Three\n\nOf three.\n'

  test('stands last in its part; what is written by hand stays', () => {
    const once = withFigures(document, 'Two', text('1'))
    expect(once).toBe(document.replace('Of two.\n', `Of two.\n\n${text('1')}\n`))
    expect(once).toContain('Measured on 2 cores · a disk. 1 round; Node 20.')
  })

  test('takes the place of what an earlier run wrote, in the last part too', () => {
    const twice = (title: string) => withFigures(withFigures(document, title, text('1')), title, text('2'))
    expect(twice('Two')).toBe(withFigures(document, 'Two', text('2')))
    expect(twice('Three')).toBe(withFigures(document, 'Three', text('2')))
  })

  test('is not lost where the document has no part for it', () => {
    expect(() => withFigures(document, 'Four', text('1'))).toThrow('no part "Four"')
  })
})
