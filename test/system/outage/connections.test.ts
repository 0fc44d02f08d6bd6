import { afterEach, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { eventually } from '../../eventually.ts'
import { freshFixture } from '../../fixture.ts'
import { Installation } from '../disk/installation.ts'

const canLimit = process.platform === 'linux' && Bun.which('prlimit') !== null
const descriptorsMax = 256
/** What strangers hold: more than the gateway may have in all. */
const connectionsCount = 400

const installation = freshFixture(() => Installation.make())
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Opens connections, writes as much of a request on each, and opens each again that is closed. */
function flood(url: string, bytes: string) {
  const { hostname, port } = new URL(url)
  const ending = { isOver: false }
  const open = () => {
    if (ending.isOver) return
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes)
    })
    socket.on('error', () => {})
    socket.on('close', () => setImmediate(open))
    sockets.push(socket)
  }
  for (let count = 0; count < connectionsCount; count += 1) open()
  return ending
}

const kinds: readonly [name: string, bytes: string][] = [
  ['on which nothing is asked', ''],
  ['whose headers never end', 'GET /livez HTTP/1.1\r\nHost: a\r\nX: '],
  ['whose bodies never end', 'POST /api/v1/public/messages/send HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{'],
]

describe.skipIf(!canLimit)('with every file descriptor taken by connections', () => {
  test.each(kinds)('%s, sends are taken and reach the upstream', async (_, bytes) => {
    const wrapper = ['prlimit', `--nofile=${descriptorsMax}`, '--']
    const { serving, url } = await installation.run({ wrapper })
    const ending = flood(url, bytes)
    await eventually(() => expect(serving.stderr()).toContain('every file descriptor was in use'))
    for (let count = 0; count < 5; count += 1) {
      // A refused or cut connection is met by trying again, as every caller does; the key keeps it from going twice.
      await eventually(async () => {
        const answer = await installation.send(url, `order-${count}`)
        expect([answer.status, answer.state]).toEqual([answer.isReplay ? 200 : 201, 'SENT'])
      })
    }
    ending.isOver = true
    expect(installation.sent).toEqual([0, 1, 2, 3, 4].map(count => `order-${count}`))
    expect(await serving.end('SIGTERM')).toBe(0)
  })
})
