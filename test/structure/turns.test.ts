import { describe, expect, test } from 'bun:test'
import type { StoreReads } from '../../db/contract/store.ts'
import { type PartnerCall, partnerCalls, takesTurn } from '../../src/http/calls.ts'
import { CallReads } from '../../src/reading/callReads.ts'
import { readsOf } from '../../src/reading/keyReads.ts'
import { Turns } from '../../src/reading/turns.ts'
import { ManualClock } from '../clock.ts'
import { codeOf, modules } from './modules.ts'

/*
 * What an API key reads is read on the thread that sends. So what costs the more, the more its workspace has, waits for
 * a turn. Who adds a call or a read that takes none names it here, and why it costs the same for everybody.
 */

/** Sends, and what is about one thing by its id. */
const callsWithoutTurn: PartnerCall[] = [
  'DELETE /messages/:messageId',
  'GET /graph/me/permissions',
  'GET /inbound/:inboundId',
  'GET /media/:mediaId',
  'GET /messages/:messageId',
  'PATCH /messages/:messageId',
  'POST /graph/:line/media',
  'POST /graph/:line/messages',
  'POST /inbound/:inboundId/read',
  'POST /media',
  'POST /messages/send',
  'no such route',
]

/** Found by an id, a name or an address. */
const readsWithoutTurn = [
  ...['contact', 'contactsAt', 'file', 'formerUserIds', 'inboundMessage', 'lastEvent', 'lastNumber', 'message'],
  ...[
    'namedMessages',
    'optedOut',
    'spellings',
    'statusView',
    'templateGenerations',
    'templateListed',
    'templatesNamed',
  ],
  'updates',
]

/** Read beside `CallReads`, in calls that take a turn: few of a workspace, or one by its id. */
const readsBeside = ['channel', 'key', 'sendingKey', 'webhooks']

test('every call of an API key begins with a turn but these', () => {
  expect(partnerCalls.filter(call => !takesTurn(call)).sort()).toEqual(callsWithoutTurn)
})

describe('each read of a call', () => {
  const turns = new Turns(new ManualClock(), () => true)
  let taken = 0
  turns.take = async () => {
    taken += 1
    return { isOver: false, hold: () => {}, owe: () => {} }
  }
  const nothing = new Proxy({}, { get: () => async () => [] }) as StoreReads
  const others = ['constructor', 'turn', 'nextTurn', 'writes', 'owes', 'holding']
  const verbs = Object.getOwnPropertyNames(CallReads.prototype).filter(name => !others.includes(name))

  test('takes a turn by itself but these', async () => {
    const without: string[] = []
    for (const verb of verbs) {
      taken = 0
      const reads = new CallReads(readsOf(nothing, { lineIds: null }), turns, { keyId: 'pk_1', workspaceId: 'ws_1' })
      await (reads[verb as keyof CallReads] as (query: object) => Promise<unknown>)({})
      if (taken === 0) without.push(verb)
    }
    expect(verbs.length).toBeGreaterThan(readsWithoutTurn.length)
    expect(without.sort()).toEqual(readsWithoutTurn)
  })

  test('takes another turn when it is repeated: no loop of pages runs in one', async () => {
    const reads = new CallReads(readsOf(nothing, { lineIds: null }), turns, { keyId: 'pk_1', workspaceId: 'ws_1' })
    taken = 0
    await reads.turn()
    await reads.lines('ws_1')
    await reads.events({ workspaceId: 'ws_1', after: 0, limit: 1 })
    expect(taken).toBe(1)
    await reads.events({ workspaceId: 'ws_1', after: 1, limit: 1 })
    expect(taken).toBe(2)
  })
})

test('what another server answers is counted before it is parsed: by parseAnswer alone', () => {
  const others = modules
    .filter(({ path }) => path.startsWith('src/graph/') || path.startsWith('src/partner/'))
    .filter(({ text }) => /\b(?:parseObject|parseJson|JSON\.parse)\((?:\w+\.)?body\)/.test(codeOf(text)))
  expect(others.map(({ path }) => path)).toEqual([])
})

test('no file of the partner API reads the store in another way', () => {
  const known = new Set([...Object.getOwnPropertyNames(CallReads.prototype), ...readsBeside])
  const others = modules
    .filter(({ path }) => path.startsWith('src/partner/'))
    .flatMap(({ path, text }) =>
      [...codeOf(text).matchAll(/\bread\.(\w+)\(/g)].flatMap(([, verb = '']) =>
        known.has(verb) ? [] : [`${path}: ${verb}`],
      ),
    )
  expect(others).toEqual([])
})
