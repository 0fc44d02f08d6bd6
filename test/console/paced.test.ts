import { expect, test } from 'bun:test'
import { resolve } from 'node:path'

// Not by a static import: browser code is type-checked by itself.
const { paced } = await import(resolve(import.meta.dir, '../../src/console/web/api/paced.ts'))

test('what changes while something is read is read after that, once, and as it is asked for last', async () => {
  const pace = paced(0)
  const first = Promise.withResolvers<void>()
  const read: string[] = []
  const begun = (name: string, until: Promise<void>) =>
    new Promise<void>(begin =>
      pace.ask(() => {
        read.push(name)
        begin()
        return until
      }),
    )
  await begun('first', first.promise)
  void begun('second', Promise.resolve())
  const third = begun('third', Promise.resolve())
  // Timers run in their order: that of the asked reading is over.
  await Bun.sleep(1)
  expect(read).toEqual(['first'])
  first.resolve()
  await third
  expect(read).toEqual(['first', 'third'])
})
