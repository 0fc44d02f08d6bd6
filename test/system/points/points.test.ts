import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { ensureBuilt } from '../../executable.ts'
import { needs } from '../../programs.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { all } from './all.ts'
import type { Choice } from './tried.ts'

// Each point starts a program or two.
setDefaultTimeout(10 * hungAfterMs)

beforeAll(ensureBuilt)

/** Of each act what comes in every run, and tells most; `bun run test:points` tries all. */
const parts: readonly (readonly [act: string, choice: Choice])[] = [
  ['a send with a key', { counted: ['writer'], calls: ['fsync'], faults: ['kill', 'EIO'], nMax: 2 }],
  ['a send with a key', { counted: ['main'], calls: ['connect', 'sendto', 'recvfrom'], nMax: 2 }],
  ['a callback with a new person and a status', { counted: ['writer'], calls: ['fsync'], nMax: 1 }],
  [
    'a clean stop with a send under way and a message that waits',
    { counted: ['writer'], calls: ['fsync'], faults: ['kill'], nMax: 2 },
  ],
  ['the release of a scheduled message', { counted: ['writer'], calls: ['fsync'], faults: ['kill'], nMax: 2 }],
  ['the release of a scheduled message', { counted: ['main'], calls: ['sendto'], faults: ['kill'], nMax: 2 }],
  // The fifth comes between an item that is claimed and its message.
  ['a batch, from its request to its last item', { counted: ['writer'], calls: ['fsync'], faults: ['kill'], nMax: 5 }],
  ['an upgrade of a small database', { counted: ['program'], calls: ['rename', 'fsync'], faults: ['kill'], nMax: 3 }],
  ['`backup`', { counted: ['program'], calls: ['fsync', 'unlink'], faults: ['EIO'], nMax: 2 }],
  ['`restore`', { counted: ['program'], calls: ['link', 'rename'], nMax: 1 }],
  // The second comes after its last step, which it takes back.
  ['`restore`', { counted: ['its folder'], calls: ['fsync'], faults: ['EIO'], nMax: 2 }],
  // The first is of the file that was there before.
  ['`database move` back to a file', { counted: ['program'], calls: ['link', 'fsync'], faults: ['kill'], nMax: 2 }],
  ['a send with a key, on PostgreSQL', { nMax: 4 }],
  ['`secrets rotate`', { counted: ['program'], calls: ['link', 'rename'], faults: ['kill'], nMax: 1 }],
]

for (const [name, choice] of parts) {
  const { counted = ['server'], calls = ['answers'] } = choice
  const act = all.find(one => one.name === name)
  const title = `${name}, hit at ${calls.join(', ')} of ${counted.join(', ')}: nothing answered is lost or sent twice`
  const here = needs(title, act?.need ?? ['such an act', false])
  test.skipIf(here.isMissing)(here.name, async () => {
    const tried = (await act?.tryPoints(choice)) ?? []
    expect(tried.filter(({ violations }) => violations.length > 0)).toEqual([])
    expect(tried.length).toBeGreaterThan(0)
  })
}
