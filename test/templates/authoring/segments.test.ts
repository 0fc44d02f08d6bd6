import { expect, test } from 'bun:test'
import { segmentsOf } from '../../../src/templates/authoring/texts.ts'

test('a text is cut at its variables, and nothing of it is lost', () => {
  const values: Record<string, string> = { '1': 'Ada' }
  expect(segmentsOf('Hi {{1}}, order {{ 2 }}.', key => values[key])).toEqual([
    { text: 'Hi ', variable: null },
    { text: 'Ada', variable: '1' },
    { text: ', order ', variable: null },
    { text: '{{ 2 }}', variable: '2' },
    { text: '.', variable: null },
  ])
  expect(segmentsOf('{{not closed', () => 'x')).toEqual([{ text: '{{not closed', variable: null }])
  expect(segmentsOf('', () => 'x')).toEqual([])
})
