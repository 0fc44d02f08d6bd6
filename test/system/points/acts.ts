import type { Order } from '../rig/orders.ts'
import { Stage } from './stage.ts'
import type { Thread } from './strace.ts'

/**
 * Whose calls are counted: those of one thread of a gateway that runs; those of a program from its start; of these, what
 * is done to the database alone, or to the folder's list of names, so that a thread that calls more often elsewhere does
 * not come first.
 */
export type Counted = Thread | 'program' | 'its files' | 'its folder'

/** Something that is done while one of its calls is hit. */
export interface Act {
  readonly name: string
  readonly counted: readonly Counted[]
  /** Up to twice this each call of a kind is tried; beyond, one in so many that their numbers grow by this share. */
  readonly share?: number
  open(): Promise<Place>
}

/** Where an act is done again and again. */
export interface Place {
  /** Of the program that was started last. */
  readonly pid: number
  readonly databasePath: string
  /** Makes what has to be there first. */
  prepare(): Promise<Performance>
  /** @returns each promise that is broken, after a gateway was started */
  verdict(): Promise<string[]>
  /** @returns the same after the last point, also of what takes long */
  lastVerdict(): Promise<string[]>
  close(): Promise<void>
}

export interface Performance {
  /** What is hit. @param wrapper the command before that of a program that is hit from its start */
  perform(wrapper: readonly string[]): Promise<void>
  /** Does it until it is answered, and starts the gateway once more. @returns what is wrong beside the logs */
  finish(): Promise<string[]>
}

/** An act that is done beside a gateway, on one database that grows. */
export interface StageAct extends Omit<Act, 'open'> {
  prepare(stage: Stage): Promise<Performance>
}

/** @returns the act on a database of SQLite */
export const onFile = ({ name, counted, prepare }: StageAct): Act => ({
  name,
  counted,
  async open() {
    const stage = await Stage.make()
    await stage.restart()
    return {
      get pid() {
        return stage.pid
      },
      databasePath: stage.databasePath,
      prepare: () => prepare(stage),
      verdict: () => stage.verdict(),
      lastVerdict: () => stage.lastVerdict(),
      close: () => stage.close(),
    }
  },
})

export const sendOf = (stage: Stage, order: Order): Performance => ({
  perform: () => stage.attempt(order),
  async finish() {
    await stage.repeat(order)
    await stage.restart()
    await stage.repeat(order)
    // On a server, another instance takes over what a killed one had handed over only after some seconds.
    await stage.sent([order])
    return []
  },
})

export const acts: readonly StageAct[] = [
  {
    name: 'a send with a key',
    counted: ['main', 'writer'],
    prepare: async stage => sendOf(stage, stage.order('open')),
  },
  {
    name: 'a callback with a new person and a status',
    counted: ['main', 'writer'],
    prepare: async stage => {
      const order = stage.order('open')
      await stage.repeat(order)
      const report = stage.report(order)
      let isTaken = false
      return {
        async perform() {
          isTaken = await stage.callBack(report)
        },
        async finish() {
          if (!isTaken) await stage.callBackAgain(report)
          await stage.restart()
          await stage.callBackAgain(report)
          return []
        },
      }
    },
  },
  {
    name: 'the hand-over of a message that waits',
    counted: ['main', 'writer'],
    prepare: async stage => {
      // The last one waits behind the second, however long it takes until its calls are counted.
      const [first, second, last] = [stage.order('held'), stage.order('held'), stage.order('held')]
      await stage.repeat(first)
      await stage.repeat(second)
      return {
        async perform() {
          await stage.attempt(last)
          await stage.sent([second, last])
        },
        async finish() {
          await stage.repeat(last)
          await stage.restart()
          await stage.repeat(first, second, last)
          await stage.sent([first, second, last])
          return []
        },
      }
    },
  },
  {
    name: 'a clean stop with a send under way and a message that waits',
    counted: ['main', 'writer'],
    prepare: async stage => {
      const first = stage.order('paced')
      const waiting = stage.order('paced')
      const underWay = stage.order('open')
      await stage.repeat(first)
      await stage.repeat(waiting)
      return {
        async perform() {
          const answering = stage.attempt(underWay)
          await stage.serving.end('SIGTERM')
          await answering
        },
        async finish() {
          await stage.restart()
          await stage.repeat(first, waiting, underWay)
          await stage.sent([first, waiting, underWay])
          return []
        },
      }
    },
  },
  {
    name: 'a start with a message that waits',
    counted: ['program', 'its files', 'its folder'],
    prepare: async stage => {
      const first = stage.order('paced')
      const waiting = stage.order('paced')
      await stage.repeat(first)
      await stage.repeat(waiting)
      await stage.kill()
      return {
        async perform(wrapper) {
          if (await stage.start(wrapper)) await stage.sent([waiting])
        },
        async finish() {
          await stage.restart()
          await stage.repeat(first, waiting)
          await stage.sent([first, waiting])
          return []
        },
      }
    },
  },
  {
    name: 'a delivery to a webhook',
    counted: ['writer', 'notifier'],
    prepare: async stage => {
      await stage.repeat(stage.order('open'))
      await stage.delivered()
      const order = stage.order('open')
      return {
        async perform() {
          await stage.attempt(order)
          await stage.delivered()
        },
        finish: sendOf(stage, order).finish,
      }
    },
  },
  {
    name: 'a file that is uploaded',
    counted: ['main', 'writer'],
    prepare: async stage => {
      const bytes = stage.picture()
      return {
        perform: async () => {
          await stage.upload(bytes)
        },
        finish: async () => sendOf(stage, await stage.orderWithFile()).finish(),
      }
    },
  },
  {
    name: 'a send with a file',
    counted: ['main', 'writer', 'sender'],
    prepare: async stage => sendOf(stage, await stage.orderWithFile()),
  },
]
