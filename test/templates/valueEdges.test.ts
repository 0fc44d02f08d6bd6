import { describe, expect, test } from 'bun:test'
import { checkForwardedComponents } from '../../src/templates/forwardedComponents.ts'
import { valueProblem } from '../../src/templates/values.ts'
import type { VariableKind } from '../../src/templates/variables.ts'

const repeated = (text: string) => (count: number) => text.repeat(count)
const times = <One>(count: number, one: (at: number) => One) => Array.from({ length: count }, (_, at) => one(at))
const levels = (count: number) => `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`
const long = (max: number) => `must be at most ${max} characters long`
const noMediaId = 'must be the id of a file here, media_…, or of an upload to the channel, digits only'

describe('the value of a variable is as long as its kind takes', () => {
  test.each<[kind: VariableKind, passes: number, refused: number, problem: string, of: (amount: number) => string]>([
    ['text', 160, 161, long(160), repeated('😀')],
    ['product', 160, 161, long(160), repeated('x')],
    ['fileName', 160, 161, long(160), repeated('x')],
    ['code', 15, 16, long(15), repeated('1')],
    ['coupon', 15, 16, long(15), repeated('x')],
    ['link', 2_048, 2_049, long(2_048), count => 'https://a.example/'.padEnd(count, 'x')],
    ['mediaId', 64, 65, noMediaId, repeated('1')],
    ['flowToken', 2_048, 2_049, long(2_048), repeated('x')],
    ['flowData', 16, 17, 'must not be nested deeper than 16 levels', levels],
  ])('%s: %d pass and %d do not', (kind, passes, refused, problem, of) => {
    expect(valueProblem(kind, of(passes))).toBeUndefined()
    expect(valueProblem(kind, of(refused))).toBe(problem)
  })
})

describe('the value of a variable has the form of its kind', () => {
  const file = `media_${'09az'.repeat(6)}`
  test.each<[kind: VariableKind, right: string[], wrong: string[]]>([
    [
      'mediaId',
      ['0', '1558081531584829', `${file}0z`],
      [`${file}z`, `${file}0zz`, `${file}Az`, `${file}-z`, `x${file}0z`, '1a'],
    ],
    [
      'link',
      ['https://a.example', 'HTTP://a.example/b'],
      ['xhttps://a.example', 'https://a.example/b c', 'ftp://a.example', '/b'],
    ],
  ])('%s', (kind, right, wrong) => {
    expect(right.filter(value => valueProblem(kind, value) !== undefined)).toEqual([])
    expect(wrong.filter(value => valueProblem(kind, value) === undefined)).toEqual([])
  })
})

describe('forwarded components are as many as can be', () => {
  const cards = (count: number) => [{ type: 'carousel', cards: times(count, at => ({ card_index: at })) }]
  const parameters = (count: number) => [{ type: 'body', parameters: times(count, () => ({ type: 'text' })) }]
  // The list and the component are two of them.
  const deep = (count: number) => [{ type: 'body', more: JSON.parse(levels(count - 2)) }]
  test.each<[what: string, passes: number, refused: number, line: string, of: (amount: number) => unknown]>([
    ['components', 20, 21, ' must not have more than 20 components', count => times(count, () => ({ type: 'body' }))],
    ['cards', 20, 21, '/0/cards must not have more than 20 cards', cards],
    ['parameters', 250, 251, '/0/parameters must not have more than 250 parameters', parameters],
    ['levels', 24, 25, ' must not be nested deeper than 24 levels', deep],
  ])('%s: %d pass and %d do not', (_, passes, refused, line, of) => {
    const said = (value: unknown) => checkForwardedComponents(value).map(({ path, message }) => `${path} ${message}`)
    expect(said(of(passes))).toEqual([])
    expect(said(of(refused))).toEqual([`/templateComponents${line}`])
  })
})
