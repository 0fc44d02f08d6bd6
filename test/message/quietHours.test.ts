import { describe, expect, test } from 'bun:test'
import { isTimeZone, quietUntil, timeZoneOf } from '../../src/message/quietHours.ts'
import { type QuietHours, weekdays } from '../../src/message/quietSettings.ts'

const nights: QuietHours = {
  ...{ from: '20:00', to: '08:00', days: weekdays, timeZone: 'Europe/Berlin' },
  categories: ['MARKETING'],
}
const berlin = '+4915112345678'
const until = (now: string, hours: Partial<QuietHours> = {}, to = berlin, category: string | null = 'MARKETING') => {
  const at = quietUntil({ ...nights, ...hours }, category, to, Date.parse(now))
  return at === null ? null : new Date(at).toISOString()
}

describe('in the time of the person', () => {
  test.each([
    ['at noon it leaves', '2026-01-15T12:00+01:00', null],
    ['in the evening it waits until the morning', '2026-01-15T20:00+01:00', '2026-01-16T07:00:00.000Z'],
    ['after midnight until the same morning', '2026-01-16T03:00+01:00', '2026-01-16T07:00:00.000Z'],
    ['it leaves with the end', '2026-01-16T08:00+01:00', null],
    ['a moment before, it waits for it', '2026-01-16T07:59:59.999+01:00', '2026-01-16T07:00:00.000Z'],
    ['over the night in which summer begins', '2026-03-28T21:00+01:00', '2026-03-29T06:00:00.000Z'],
    ['over the night in which it ends', '2026-10-24T21:00+02:00', '2026-10-25T07:00:00.000Z'],
  ])('%s', (_, now, expected) => {
    expect(until(now)).toBe(expected)
  })

  test.each([
    ['London, an hour behind', '+447700900123', '2026-01-15T19:30Z', null],
    ['India, by its half hour', '+919876543210', '2026-01-15T15:00Z', '2026-01-16T02:30:00.000Z'],
    ['a country of several times: as the workspace', '+12025550123', '2026-01-15T19:30Z', '2026-01-16T07:00:00.000Z'],
    ['a user id without a number: as the workspace', 'XX.1349', '2026-01-15T19:30Z', '2026-01-16T07:00:00.000Z'],
  ])('%s', (_, to, now, expected) => {
    expect(until(now, {}, to)).toBe(expected)
  })
})

describe('days', () => {
  test('hours of a weekend begin on its days alone', () => {
    const weekend = { days: [6, 7] as const }
    // Friday, Saturday and Sunday nights of January 2026.
    expect(until('2026-01-16T21:00+01:00', weekend)).toBeNull()
    expect(until('2026-01-17T21:00+01:00', weekend)).toBe('2026-01-18T07:00:00.000Z')
    expect(until('2026-01-19T03:00+01:00', weekend)).toBe('2026-01-19T07:00:00.000Z')
    expect(until('2026-01-20T03:00+01:00', weekend)).toBeNull()
  })

  test('whole days that follow each other are one wait', () => {
    const weekend = { from: '00:00', to: '00:00', days: [6, 7] as const }
    expect(until('2026-01-17T10:00+01:00', weekend)).toBe('2026-01-18T23:00:00.000Z')
  })

  test('hours of one day', () => {
    expect(until('2026-01-15T12:30+01:00', { from: '12:00', to: '14:00' })).toBe('2026-01-15T13:00:00.000Z')
    expect(until('2026-01-15T15:00+01:00', { from: '12:00', to: '14:00' })).toBeNull()
  })
})

test('only the categories that were chosen wait, never a one-time code or what is no template', () => {
  const night = '2026-01-15T22:00+01:00'
  expect(until(night, {}, berlin, 'UTILITY')).toBeNull()
  expect(until(night, { categories: ['MARKETING', 'UTILITY'] }, berlin, 'UTILITY')).not.toBeNull()
  expect(until(night, { categories: ['MARKETING', 'UTILITY'] }, berlin, 'AUTHENTICATION')).toBeNull()
  expect(until(night, {}, berlin, null)).toBeNull()
})

test('time zones are known by their names', () => {
  const names = ['Europe/Berlin', 'europe/berlin', 'UTC', 'Asia/Calcutta']
  expect(names.filter(name => !isTimeZone(name))).toEqual([])
  const others = ['Mars/Base', '+01:00', '-0300', '2026-01-01T00:00[Europe/Berlin]', '']
  expect(others.filter(isTimeZone)).toEqual([])
  expect(timeZoneOf(berlin, 'UTC')).toBe('Europe/Berlin')
})
