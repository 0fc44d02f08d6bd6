import { hourMs } from '../../../src/base/durations.ts'
import type { StageAct } from './acts.ts'

/*
 * What a gateway sends by itself, after its caller was answered: at its time, or item by item.
 */

/** As few as can be mistaken for each other. */
const itemsOfBatch = 2

export const heldActs: readonly StageAct[] = [
  {
    name: 'the release of a scheduled message',
    counted: ['main', 'writer', 'sender'],
    prepare: async stage => {
      const order = stage.order('open', { sendAt: new Date(Date.now() + hourMs).toISOString() })
      await stage.repeat(order)
      return {
        async perform() {
          await stage.comeDue(order)
          await stage.sent([order])
        },
        async finish() {
          await stage.restart()
          await stage.repeat(order)
          await stage.sent([order])
          return stage.lost()
        },
      }
    },
  },
  {
    name: 'a batch, from its request to its last item',
    counted: ['main', 'writer', 'sender'],
    prepare: async stage => {
      const batch = stage.batch(itemsOfBatch)
      return {
        async perform() {
          if (await stage.askFor(batch)) await stage.ran()
        },
        async finish() {
          await stage.insistOn(batch)
          await stage.restart()
          await stage.insistOn(batch)
          await stage.ran()
          // Its key is its own after its end, too.
          await stage.insistOn(batch)
          return [...(await stage.lost()), ...(await stage.miscounted(batch))]
        },
      }
    },
  },
]
