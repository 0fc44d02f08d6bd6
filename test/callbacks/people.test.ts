import { describe, expect, test } from 'bun:test'
import { readCallback } from '../../src/callbacks/parse.ts'
import { echoKind } from '../../src/message/kinds.ts'

const userId = 'US.13491208655302741918'
const [number, phone] = ['16505551234', '+16505551234']

type Fields = Record<string, unknown>
const read = (value: Fields, field = 'messages') =>
  readCallback({ entry: [{ id: '1', changes: [{ field, value }] }] }, 0, { secrets: [], keepsStatuses: false })

/** Whom the one message of a change is from, or went to. */
function personIn(value: Fields, field?: string) {
  const [inbound, ...others] = read(value, field).inbound
  expect(others).toEqual([])
  const { newContactId: _, ...person } = inbound?.from ?? { newContactId: '' }
  return person
}
const text = { id: 'wamid.1', timestamp: '1', type: 'text', text: { body: 'Hello' } }
const profile = { name: 'Ada', username: '@ada' }

describe('a user is who a callback means', () => {
  const names: readonly [what: string, value: Fields, is: Fields][] = [
    ['a number', { messages: [{ ...text, from: number }] }, { phone, userId: null }],
    ['a user id beside it', { messages: [{ ...text, from: number, from_user_id: userId }] }, { phone, userId }],
    ['a user id in its place', { messages: [{ ...text, from: userId }] }, { phone: null, userId }],
    ['both, which differ', { messages: [{ ...text, from: 'US.2', from_user_id: userId }] }, { phone: null, userId }],
    ['an empty number', { messages: [{ ...text, from: '', from_user_id: userId }] }, { phone: null, userId }],
    ['an empty user id', { messages: [{ ...text, from: userId, from_user_id: '' }] }, { phone: null, userId }],
    [
      'the contact alone',
      { contacts: [{ profile, wa_id: number, user_id: userId }], messages: [{ ...text, from: '' }] },
      { phone, userId, name: 'Ada', username: 'ada' },
    ],
    [
      'a contact with the user id in the place of the number',
      {
        contacts: [{ wa_id: '16505550000' }, { profile, wa_id: userId }],
        messages: [{ ...text, from_user_id: userId }],
      },
      { phone: null, userId, name: 'Ada', username: 'ada' },
    ],
    [
      'a contact without a profile',
      { contacts: [{ wa_id: number, user_id: userId }], messages: [{ ...text, from: number }] },
      { phone, userId, name: null },
    ],
  ]
  test.each(names)('%s', (_, value, is) => {
    expect(personIn(value)).toMatchObject(is)
  })

  test.each<[to: Fields, is: Fields]>([
    [{ to: number }, { phone, userId: null }],
    [{ to: userId }, { phone: null, userId }],
    [
      { to: '', to_user_id: userId },
      { phone: null, userId },
    ],
  ])('an echo to %p', (to, is) => {
    expect(personIn({ message_echoes: [{ ...text, ...to, from: '15550783881' }] }, 'smb_message_echoes')).toMatchObject(
      is,
    )
    const threads = [{ messages: [{ ...text, ...to, from: '15550783881' }] }]
    expect(personIn({ history: [{ threads }] }, 'history')).toMatchObject(is)
    expect(read({ history: [{ threads }] }, 'history').inbound[0]?.kind).toBe(`${echoKind} text`)
  })

  test('a message of the past with an empty recipient is of the user', () => {
    const threads = [{ messages: [{ ...text, from: number, to: '' }] }]
    const [past] = read({ history: [{ threads }] }, 'history').inbound
    expect(past).toMatchObject({ kind: 'text', from: { phone } })
  })
})

test.each<[system: Fields, is: Fields]>([
  [
    { new_wa_id: '', wa_id: '16505559999' },
    { phone: '+16505559999', userId: null },
  ],
  [{ new_wa_id: userId }, { phone: null, userId }],
  [
    { wa_id: userId, previous_user_id: '' },
    { phone: null, userId },
  ],
  [
    { wa_id: '', new_wa_id: '', user_id: userId },
    { phone, userId },
  ],
])('a number that changed to %p', (system, is) => {
  const message = { ...text, from: number, type: 'system', system: { type: 'user_changed_number', ...system } }
  const [changed] = read({ messages: [message] }).inbound
  expect(changed).toMatchObject({ from: is, identityChange: { formerPhone: phone, formerUserId: null } })
})

test('a user id that changed, of a user whose number is named by the contact alone', () => {
  const update = { user_id: { current: userId, previous: 'US.1' }, wa_id: '', timestamp: '1' }
  const [news] = read({ contacts: [{ wa_id: number }], user_id_update: [update] }, 'user_id_update').identities
  expect(news).toMatchObject({ from: { phone, userId }, identityChange: { formerPhone: phone, formerUserId: 'US.1' } })
})
