import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { saidWord, startWordsDefault, stopWordsDefault, wishIn, wordCharsMax } from '../../src/message/optOut.ts'

const usual = { stopWords: null, startWords: null }
const wish = (text: string, words: Parameters<typeof wishIn>[1] = usual) => {
  const said = saidWord(text)
  return said === null ? null : (wishIn(said, words)?.value ?? null)
}

describe('a word of the workspace', () => {
  test.each([
    'STOP',
    ' stop ',
    'Stop.',
    'PARAR',
    'sair',
    'BAJA',
    'arrêt',
    'ARRET',
    'arre\u0302t',
    'إيقاف',
    'Stopp!',
    '«Stop»',
    '\u200fSTOP\u200f\n',
    'stop   all',
    'ＳＴＯＰ',
  ])('%p opts out', text => expect(wish(text)).toBe('stop'))

  test.each(['START', 'start!', 'Voltar', 'ابدأ'])('%p takes it back', text => expect(wish(text)).toBe('resume'))

  test.each([
    'stop, amanhã não venho',
    'non-stop',
    'STOP 12345',
    'stop?',
    '¿Alto?',
    'stop it',
    'please stop',
    'stops',
    'st op',
    'STOP 🛑',
    '',
    '...',
  ])('%p is none of them', text => expect(wish(text)).toBeNull())

  test('a long text is none, whatever surrounds it', () => {
    expect(['x'.repeat(5_000), `stop${'.'.repeat(5_000)}`].map(text => saidWord(text))).toEqual([null, null])
  })

  test('only the whole message counts: whatever a person writes beside it, it is no opt-out', () => {
    const letters = fc.string({ minLength: 1, unit: 'binary' }).filter(text => /[\p{L}\p{N}\p{S}?]/u.test(text))
    const word = fc.constantFrom(...stopWordsDefault, ...startWordsDefault)
    const places = fc.constantFrom(...[' ', '', '-', ', ', '\n'])
    fc.assert(
      fc.property(word, places, letters, fc.boolean(), (said, between, more, isBefore) => {
        const text = isBefore ? more + between + said : said + between + more
        const known = [...stopWordsDefault, ...startWordsDefault].map(one => saidWord(one))
        fc.pre(!known.includes(saidWord(text)))
        expect(wish(text)).toBeNull()
      }),
    )
  })

  test('the words of a workspace replace those that everybody has, each list for itself; an empty list has none', () => {
    const own = { stopWords: ['Keine Werbung'], startWords: null }
    expect(['keine  werbung!', 'STOP', 'start'].map(text => wish(text, own))).toEqual(['stop', null, 'resume'])
    expect(['stop', 'start'].map(text => wish(text, { stopWords: [], startWords: [] }))).toEqual([null, null])
    expect(wishIn('keine werbung', own)?.word).toBe('Keine Werbung')
  })

  test('no usual word is longer than one may be, stands twice, or is in both lists', () => {
    const words = [...stopWordsDefault, ...startWordsDefault]
    expect(new Set(words.map(saidWord)).size).toBe(words.length)
    expect(Math.max(...words.map(word => word.length))).toBeLessThanOrEqual(wordCharsMax)
  })
})
