import { describe, expect, test } from 'bun:test'
import { fileNameProblem, nameInLink, nameOfType, safeName, shownName } from '../../src/base/fileName.ts'

describe('a name that a caller gives', () => {
  test.each(['Invoice No 17.pdf', 'größe "A".png', '発注書: 5月?.pdf', '👩‍🚀.png', '.htaccess'])(
    '%s is taken',
    name => {
      expect(fileNameProblem(name)).toBeUndefined()
    },
  )
  test.each([
    ['a folder', '../../etc/passwd'],
    ['a folder of Windows', 'C:\\a.pdf'],
    ['a line break', 'a\nb.pdf'],
    ['a tab', 'a\tb.pdf'],
    ['NUL', 'a\0.pdf'],
    ['a sign that turns the direction', 'a\u202efdp.exe'],
    ['an isolate', 'a\u2066b.pdf'],
    ['a mark of direction', 'a\u200fb.pdf'],
    ['half a character', 'a\ud800.pdf'],
    ['dots alone', '..'],
  ])('%s is refused', (_, name) => {
    expect(fileNameProblem(name)).toStartWith('must be the name of a file')
    expect(fileNameProblem(shownName(name))).toBeUndefined()
  })
})

test('a name that came from elsewhere keeps its ending, and has a bound', () => {
  expect(shownName(`${'a'.repeat(300)}.pdf`)).toBe(`${'a'.repeat(146)}.pdf`)
  expect([shownName(''), shownName(' . '), shownName('a"b:c')]).toEqual(['file', 'file', 'a"b:c'])
  expect([safeName('a"b:c'), safeName('..a/b'), safeName('\u{1f469}\u200d.png')]).toEqual([
    'a_b_c',
    'a_b',
    '\u{1f469}_.png',
  ])
})

test.each([
  ['https://files.example/a/Invoice%20No%2017.pdf?token=x', 'Invoice No 17.pdf'],
  ['https://files.example/a%2F..%2Fb.pdf', 'a_.._b.pdf'],
  ['https://files.example/100%.pdf', '100%.pdf'],
  ['https://files.example/a/', undefined],
  ['https://files.example', undefined],
  ['no address', undefined],
])('the name in %s', (link, name) => {
  expect(nameInLink(link)).toBe(name as never)
})

test.each([
  ['PTT-20260904-WA0001.opus', 'audio/ogg; codecs=opus', 'PTT-20260904-WA0001.ogg'],
  ['voice.mp3', 'audio/ogg; codecs=opus', 'voice.ogg'],
  ['blob', 'image/png', 'blob.png'],
  ['A.JPG', 'image/jpeg', 'A.JPG'],
  ['Invoice No. 17', 'application/pdf', 'Invoice No. 17.pdf'],
  ['table.csv', 'text/plain', 'table.txt'],
  ['a.bin', 'application/x-unknown', 'a.bin'],
])('%s of the type %s is uploaded as %s', (name, type, expected) => {
  expect(nameOfType(name, type)).toBe(expected)
})
