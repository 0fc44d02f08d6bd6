import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { FoundMessages, MeantBy, MessageSearch } from '../../../db/contract/queries.ts'
import type { Message } from '../../../db/contract/records.ts'
import { messageFieldNames, messageFields } from '../../../db/messageFields.ts'
import { withoutOne } from '../../../src/message/words.ts'
import type { OpenStore, StoreUnderTest } from '../engines.ts'
import { type Filter, fillMessages, filters, filterValues, messagesMade, searched } from '../searchedMessages.ts'

/** Of a message, what a filter by one value compares. */
const fieldOf: ReadonlyMap<string, keyof Message> = new Map([
  ...messageFieldNames.map(field => [messageFields[field].filter?.name ?? field, field] as const),
  ['line', 'lineId'],
  ['key', 'apiKeyId'],
])

export function messageSearchSuite(open: OpenStore): void {
  let db: StoreUnderTest

  beforeAll(async () => {
    db = await open()
    await fillMessages(db)
  })
  afterAll(() => db.close())

  function fits(message: Message, { since = 0, until = Number.POSITIVE_INFINITY, ...fields }: Filter): boolean {
    if (message.workspaceId !== 'ws_1' || message.createdAt < since || message.createdAt >= until) return false
    const { cause, status, ...same } = fields
    if (status && !status.includes(message.status)) return false
    const reason = message.status === 'FAILED' ? message.gaveUpReason : null
    if (cause !== undefined && reason !== cause && !reason?.startsWith(`${cause}: `)) return false
    return Object.entries(same).every(
      ([name, value]) => message[fieldOf.get(name) ?? 'id'] === (value === withoutOne ? null : value),
    )
  }

  const expected = (filter: Filter) => searched.filter(message => fits(message, filter)).map(({ id }) => id)

  /** All steps in one direction. */
  async function walk(search: Omit<MessageSearch, 'workspaceId'>): Promise<FoundMessages[]> {
    const steps: FoundMessages[] = []
    let { cursor } = search
    for (;;) {
      const step = await db.read.searchMessages({ workspaceId: 'ws_1', ...search, cursor })
      steps.push(step)
      if (step.next === null) return steps
      cursor = step.next
    }
  }

  const idsOf = (steps: readonly FoundMessages[]) => steps.flatMap(({ messages }) => messages.map(({ id }) => id))

  test.each(Object.entries(filterValues))(
    'the filter %s tells messages apart: else what follows would find nothing that is lost',
    (field, [value]) => {
      const found = expected({ [field]: value })
      expect([found.length > 0, found.length < expected({}).length]).toEqual([true, true])
    },
  )

  describe.each(filters)('the filter by %s', (_, filter) => {
    test.each([
      [1, 1],
      [4, 3],
      [3, 10],
      [200, 200],
    ] as const)('finds all that fit once, newest first, %d at a time in steps of %d', async (limit, scan) => {
      const steps = await walk({ ...filter, direction: 'older', limit, scan })
      expect(idsOf(steps)).toEqual(expected(filter))
      for (const { messages } of steps) expect(messages.length).toBeLessThanOrEqual(limit)
    })

    test('finds what the list of commands has, from any page on', async () => {
      const listed = await db.read.messages({ workspaceId: 'ws_1', ...filter, limit: messagesMade })
      expect(listed.map(({ id }) => id)).toEqual(expected(filter))
      const after = listed[2]?.id
      const next = await db.read.messages({ workspaceId: 'ws_1', ...filter, after, limit: 2 })
      const rest = expected(filter).slice(after === undefined ? 0 : 3)
      expect(next.map(({ id }) => id)).toEqual(rest.slice(0, 2))
    })

    test('finds the same ones the other way, oldest first', async () => {
      const steps = await walk({ ...filter, direction: 'newer', limit: 4, scan: 7 })
      expect(idsOf(steps)).toEqual(expected(filter).reverse())
    })

    test('goes on from any message that was found, in both directions', async () => {
      const ids = expected(filter)
      const [page] = await walk({ ...filter, direction: 'older', limit: 200, scan: 200 })
      for (const [at, cursor] of (page?.cursors ?? []).entries()) {
        const older = await walk({ ...filter, direction: 'older', cursor, limit: 200, scan: 200 })
        const newer = await walk({ ...filter, direction: 'newer', cursor, limit: 200, scan: 200 })
        expect([at, idsOf(older)]).toEqual([at, ids.slice(at + 1)])
        expect([at, idsOf(newer)]).toEqual([at, ids.slice(0, at).reverse()])
      }
    })

    test('finds which of some messages fit, behind any message', async () => {
      // Of both workspaces, and one that is not there.
      const ids = ['msg_none', ...searched.filter((_, n) => n % 2 === 0).map(({ id }) => id)]
      const all = expected(filter)
      const [page] = await walk({ ...filter, direction: 'older', limit: 200, scan: 200 })
      for (const at of [undefined, 0, 5]) {
        const behind = at === undefined ? all : all.slice(at + 1)
        const search = { ...filter, ids, cursor: at === undefined ? undefined : page?.cursors[at], limit: 200, scan: 1 }
        if (at !== undefined && search.cursor === undefined) continue
        const found = await walk({ ...search, direction: 'older' })
        expect([at, idsOf(found)]).toEqual([at, behind.filter(id => ids.includes(id))])
        const [few] = await walk({ ...search, direction: 'older', limit: 1 })
        expect(few && idsOf([few])).toEqual(behind.filter(id => ids.includes(id)).slice(0, 1))
      }
      const newer = await walk({ ...filter, ids, direction: 'newer', limit: 200, scan: 1 })
      expect(idsOf(newer)).toEqual(all.filter(id => ids.includes(id)).reverse())
    })

    test('finds those of some lines alone', async () => {
      const onLines = new Set(expected({ line: 'line_2' }))
      for (const [lineIds, ids] of [
        [['line_2', 'line_none'], expected(filter).filter(id => onLines.has(id))],
        [['line_1', 'line_2'], expected(filter)],
      ] as const) {
        const steps = await walk({ ...filter, lineIds, direction: 'older', limit: 4, scan: 7 })
        expect([lineIds, idsOf(steps)]).toEqual([lineIds, [...ids]])
      }
    })
  })

  const none = { digits: null, recipients: new Set<string>(), templates: new Map() } as const
  test.each<[what: string, meant: MeantBy, isMeant: (n: number) => boolean]>([
    ['a word of a text, in any case', { ...none, words: 'MÜNCHEN' }, n => n % 9 === 1],
    ['a word whose capitals have a dot', { ...none, words: 'kilim' }, n => n % 9 === 4],
    ['such a word as it is written', { ...none, words: 'KİLİM' }, n => n % 9 === 4],
    ['words over lines and quotes', { ...none, words: 'e\nfrom "m' }, n => n % 9 === 1],
    ['a value of a template', { ...none, words: 'hamburg' }, n => n % 9 === 0],
    ['no field of the request', { ...none, words: 'parameters' }, () => false],
    ['no sign of a pattern', { ...none, words: 'h_mburg' }, () => false],
    ['a request id as a whole', { ...none, words: 'request 3' }, n => n % 8 === 3],
    ['people', { ...none, words: 'zoë', recipients: new Set(['u.1', '+493012342']) }, n => n % 7 === 2],
    ['a part of the number', { ...none, words: '12342', digits: '12342' }, n => n % 7 === 2],
    ['a template', { ...none, words: 'order', templates: new Map([['order', null]]) }, n => n % 3 === 0 && n % 2 === 0],
    [
      'a template in one language, or a word',
      { ...none, words: 'hamburg', templates: new Map([['order', new Set(['de'])]]) },
      n => n % 9 === 0 || (n % 3 === 0 && n % 4 === 0),
    ],
  ])('a text means %s', async (_, meant, isMeant) => {
    const ids = expected({}).filter(id => isMeant(Number(id.replace('msg_', ''))))
    for (const [limit, scan] of [
      [1, 3],
      [4, 10],
      [200, 200],
    ] as const) {
      expect([limit, idsOf(await walk({ meant: [meant], direction: 'older', limit, scan }))]).toEqual([limit, ids])
      expect([limit, idsOf(await walk({ meant: [meant], direction: 'newer', limit, scan }))]).toEqual([
        limit,
        ids.toReversed(),
      ])
    }
    const failed = idsOf(await walk({ meant: [meant], status: ['FAILED'], direction: 'older', limit: 4, scan: 5 }))
    expect(failed).toEqual(expected({ status: ['FAILED'] }).filter(id => ids.includes(id)))
  })

  test('of several words a message has each, be it as a word, a person or a template', async () => {
    const meant = [
      { ...none, words: 'hamburg' },
      { ...none, words: 'zoë', recipients: new Set(['+493012342']) },
      { ...none, words: 'order', templates: new Map([['order', null]]) },
    ]
    const isMeant = (n: number) => n % 9 === 0 && n % 7 === 2 && n % 3 === 0 && n % 2 === 0
    const ids = expected({}).filter(id => isMeant(Number(id.replace('msg_', ''))))
    expect(ids).not.toBeEmpty()
    expect(idsOf(await walk({ meant, direction: 'older', limit: 4, scan: 10 }))).toEqual(ids)
  })

  test('the contents of messages are read together, and so are their recipients', async () => {
    const contents = await db.read.messageContents(['msg_001', 'msg_000', 'msg_none'])
    expect([...contents.keys()].sort()).toEqual(['msg_000', 'msg_001'])
    expect(contents.get('msg_000')).toContain('Hamburg')
    expect(await db.read.messageContents([])).toEqual(new Map())
    const addresses = ['+493012342', '+493012341', 'user.none']
    const contacts = await db.read.contactsAt({ workspaceId: 'ws_1', addresses })
    expect([...contacts].map(([address, { name }]) => [address, name])).toEqual([['+493012342', 'Zoë Chen']])
  })

  test('a step that finds nothing says how far it has come', async () => {
    const [first] = await walk({ template: 'none', direction: 'older', limit: 10, scan: 12 })
    expect(first).toMatchObject({ messages: [], next: expect.any(String), reachedAt: expect.any(Number) })
  })

  test('a cursor that is none begins anew', async () => {
    const search = { workspaceId: 'ws_1', direction: 'older', limit: 3, scan: 10 } as const
    const [begun, strange] = await Promise.all([
      db.read.searchMessages(search),
      db.read.searchMessages({ ...search, cursor: "x' OR 1" }),
    ])
    expect(strange).toEqual(begun)
  })
}
