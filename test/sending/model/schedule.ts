import fc from 'fast-check'

/**
 * What the upstream makes of one attempt: it takes it, refuses it for good, or for a file that it has lost, loses the
 * answer, or puts it off.
 */
export interface Reply {
  readonly afterMs: number
  readonly says: 'accepted' | 'refused' | 'mediaGone' | 'lost' | PutOff
  /** Only told with what is put off. */
  readonly retryAfterMs: number | null
}

/** How far a "not now" reaches. */
export type PutOff = 'app' | 'line' | 'pair' | 'message'

/**
 * What the disk says to a message that asks to leave, as where other instances share it: it is held, or it may leave
 * for some time. Null: at any time.
 */
export type Grant = { readonly heldMs: number } | { readonly validMs: number } | null

/** One message that a caller sends. */
export interface Order {
  readonly atMs: number
  readonly line: LineName
  readonly recipient: string
  /** To its attempts, one after another; any further one is accepted. */
  readonly replies: readonly Reply[]
}

/** All that happens to a gateway, decided beforehand: the same schedule always goes the same way. */
export interface Schedule {
  readonly orders: readonly Order[]
  /** How long the commits of the disk take, over and over. */
  readonly commitMs: readonly number[]
  /** To the messages that ask to leave, over and over. */
  readonly grants: readonly Grant[]
  /** How many sender threads there are: any of them takes any message. */
  readonly threads: number
  /** How long the sender threads live from their spawning on, one after another; those after them live on. */
  readonly livesMs: readonly number[]
  /** While the disk takes nothing. */
  readonly fullDisk: readonly { readonly fromMs: number; readonly toMs: number }[]
  readonly stopAtMs: number | null
}

/** Without any pace, paced, and paced towards each recipient as well. */
export const lines = {
  open: { perSecond: 0, pairSeconds: 0 },
  paced: { perSecond: 5, pairSeconds: 0 },
  paired: { perSecond: 3, pairSeconds: 1 },
} as const

export type LineName = keyof typeof lines

/** Far more in one go than the lines may send, so that messages wait when a thread dies or the disk is full. */
const ordersMax = 30
const lastOrderMs = 500
/** The messages have left by then, but for those that were put off or held up. */
const lastTroubleMs = 4_000

const ms = (max: number) => fc.integer({ min: 0, max })

const reply: fc.Arbitrary<Reply> = fc.record({
  afterMs: ms(300),
  says: fc.oneof(
    { weight: 5, arbitrary: fc.constant('accepted') },
    { weight: 4, arbitrary: fc.constantFrom('app', 'line', 'pair', 'message') },
    { weight: 1, arbitrary: fc.constantFrom('lost', 'refused') },
    { weight: 1, arbitrary: fc.constant('mediaGone') },
  ),
  retryAfterMs: fc.option(ms(50)),
})

const order: fc.Arbitrary<Order> = fc.record({
  atMs: ms(lastOrderMs),
  // Mostly that on which most has to wait.
  line: fc.constantFrom('open', 'paced', 'paced', 'paired'),
  recipient: fc.constantFrom('+491', '+492', '+493'),
  replies: fc.array(reply, { maxLength: 4 }),
})

/** An idle disk, or one so busy that threads die and start while it commits. */
const commitMs = fc.oneof(ms(3), ms(400))

/** Now and then nothing is held: however busy the disk is, everything leaves in the end. */
const grants = fc
  .array(fc.oneof(fc.record({ heldMs: ms(300) }), fc.record({ validMs: ms(600) }), fc.constant(null)), {
    maxLength: 10,
    size: 'max',
  })
  .map(list => [...list, null])

const threadsMax = 2

/** Some die at work, some while they take what the one before them left, some before they have started. */
const livesMs = fc
  .array(fc.oneof(ms(3_000), ms(500), ms(60)), { maxLength: 6, size: 'max' })
  // A gateway whose first threads do not start does not start either.
  .map(lives => lives.map((lifeMs, index) => (index < threadsMax ? lifeMs + 100 : lifeMs)))

const fullDisk = fc.array(
  fc.tuple(ms(lastTroubleMs), ms(3_000)).map(([fromMs, forMs]) => ({ fromMs, toMs: fromMs + forMs })),
  { maxLength: 3, size: 'max' },
)

/** What may happen besides the upstream's answers. */
export type Trouble = 'deaths' | 'fullDisk' | 'stop' | 'sharing'

export const schedules = (...troubles: readonly Trouble[]): fc.Arbitrary<Schedule> =>
  fc.record({
    orders: fc.array(order, { minLength: 1, maxLength: ordersMax, size: 'max' }),
    commitMs: fc.array(commitMs, { minLength: 1, maxLength: 20, size: 'max' }),
    grants: troubles.includes('sharing') ? grants : fc.constant([null]),
    threads: fc.integer({ min: 1, max: threadsMax }),
    livesMs: troubles.includes('deaths') ? livesMs : fc.constant([]),
    fullDisk: troubles.includes('fullDisk') ? fullDisk : fc.constant([]),
    stopAtMs: troubles.includes('stop') ? ms(lastTroubleMs) : fc.constant(null),
  })
