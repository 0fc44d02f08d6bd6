import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { reserveBytes } from '../../../db/sqlite/reserve.ts'
import { eventually } from '../../eventually.ts'
import { canLimit, canMount, limitedDisk, mountSmallDisk, type SmallDisk } from '../../smallDisk.ts'
import { accept, postCallback, statusCallback } from '../../upstream.ts'
import { type Answer, Installation, refusal } from './installation.ts'

const kinds: readonly [name: string, isPossible: boolean, make: () => SmallDisk][] = [
  ['a full file system', canMount, mountSmallDisk],
  ['a disk that fails every write', canLimit, limitedDisk],
]
/** A log that was cut back is filled again before the disk is asked for more: some thousand pages at most. */
const sendsUntilFull = 5_000
/** Each is some 20 kB of log, and hashes a password. */
const signIns = 20

for (const [name, isPossible, make] of kinds) {
  describe.skipIf(!isPossible)(name, () => {
    let disk: SmallDisk
    let installation: Installation
    beforeEach(async () => {
      disk = make()
      installation = await Installation.make(join(disk.folder, 'data'))
    })
    afterEach(async () => {
      await installation.remove()
      disk.remove()
    })

    /** Sends until one is refused. @returns what was accepted until then, and the refusal */
    async function sendUntilRefused(url: string) {
      const accepted: Answer[] = []
      for (let count = 0; count < sendsUntilFull; count += 1) {
        const answer = await installation.send(url, `filling-${count}`)
        if (answer.status !== 201) return { accepted, refused: answer, key: `filling-${count}` }
        accepted.push(answer)
      }
      throw new Error('the disk does not get full')
    }

    test('503 SERVICE_UNAVAILABLE: sends are refused and nothing of them is stored or sent; reading goes on', async () => {
      const { serving, url } = await installation.run()
      const first = await installation.send(url, 'order-1')
      disk.fill(serving.pid)
      const { refused, key } = await sendUntilRefused(url)
      const again = await installation.send(url, key)
      const status = await installation.status(url, first.id)
      const replay = await installation.send(url, 'order-1')

      for (const answer of [refused, again]) {
        expect(answer).toMatchObject({ status: 503, error: 'SERVICE_UNAVAILABLE' })
        expect(answer.retryAfter).toMatch(/^[1-9]\d*$/)
      }
      expect(installation.sent).not.toContain(key)
      expect(status).toMatchObject({ status: 200, id: first.id })
      expect(replay).toMatchObject({ status: 200, id: first.id, isReplay: true })
      expect((await fetch(`${url}/livez`)).status).toBe(200)
    })

    test('503 SERVICE_UNAVAILABLE: /readyz says so while the disk takes no writes, and no longer once there is space again', async () => {
      const { serving, url } = await installation.run()
      const ready = async () => {
        const answer = await fetch(`${url}/readyz`)
        const { details, parts = details?.parts } = (await answer.json()) as Ready
        return { status: answer.status, writer: parts?.writer, disk: parts?.disk }
      }
      disk.fill(serving.pid)
      await sendUntilRefused(url)
      await eventually(async () =>
        expect(await ready()).toEqual({ status: 503, writer: 'ok', disk: 'takes no writes' }),
      )
      disk.free(serving.pid)
      // The small file system has less space than the probe asks for, even when it is empty.
      await eventually(async () => expect((await ready()).disk).not.toBe('takes no writes'))
    })

    test('once there is space again it goes on by itself: no restart, nothing lost, nothing twice', async () => {
      const { serving, url } = await installation.run()
      disk.fill(serving.pid)
      const { accepted, key } = await sendUntilRefused(url)
      disk.free(serving.pid)
      const next = await installation.send(url, key)
      const states = await Promise.all(accepted.map(({ id }) => installation.status(url, id)))

      expect(next).toMatchObject({ status: 201, state: 'SENT', isReplay: false })
      expect(new Set(states.map(({ status, state }) => `${status} ${state}`))).toEqual(
        new Set(accepted.length ? ['200 SENT'] : []),
      )
      expect(installation.sent).toHaveLength(accepted.length + 1)
      expect(new Set(installation.sent).size).toBe(accepted.length + 1)
      expect(await serving.end('SIGTERM')).toBe(0)
      expect(integrity(installation.path('waypost.db'))).toBe('ok')
    })

    test('an answer of the upstream that could not be stored is kept until it can be', async () => {
      const gate = Promise.withResolvers<void>()
      installation.upstream.answer = request => gate.promise.then(() => accept(request))
      const { serving, url } = await installation.run()
      const sending = installation.send(url, 'order-1')
      await eventually(() => expect(installation.sent).toHaveLength(1))
      disk.fill(serving.pid)
      // Nothing that is asked now fits any more.
      for (let isFull = false; !isFull; ) {
        const told = await postCallback(
          url + installation.seeded.callbackPath,
          report('unknown'),
          installation.seeded.appSecret,
        )
        isFull = told.status !== 200
      }
      gate.resolve()
      await eventually(() => expect(serving.stderr()).toContain('could not be stored'))
      disk.free(serving.pid)

      expect(await sending).toMatchObject({ status: 201, state: 'SENT' })
      expect(installation.sent).toHaveLength(1)
    })

    test('503: a callback that could not be stored is not answered 200, so that it comes again', async () => {
      const { serving, url } = await installation.run()
      const { id = '' } = await installation.send(url, 'order-1')
      disk.fill(serving.pid)
      await sendUntilRefused(url)
      const post = () => postCallback(url + installation.seeded.callbackPath, report(id), installation.seeded.appSecret)
      const refused = await post()
      disk.free(serving.pid)
      const taken = await post()

      expect([refused.status, taken.status]).toEqual([503, 200])
      expect(await installation.status(url, id)).toMatchObject({ state: 'DELIVERED' })
    })

    test('killed while it is full, it has everything that it answered once it is started with space', async () => {
      const first = await installation.run()
      disk.fill(first.serving.pid)
      const { accepted, key } = await sendUntilRefused(first.url)
      await first.serving.end('SIGKILL')
      disk.free(process.pid)
      const { serving, url } = await installation.run()
      const states = await Promise.all(accepted.map(({ id }) => installation.status(url, id)))
      const next = await installation.send(url, key)

      expect(states.filter(({ state }) => state !== 'SENT')).toEqual([])
      expect(next).toMatchObject({ status: 201, isReplay: false })
      expect(await serving.end('SIGTERM')).toBe(0)
      expect(integrity(installation.path('waypost.db'))).toBe('ok')
    })
  })
}

describe.skipIf(!canMount)('people, on a full file system', () => {
  let disk: SmallDisk
  let installation: Installation
  beforeEach(async () => {
    disk = mountSmallDisk()
    installation = await Installation.make(join(disk.folder, 'data'))
  })
  afterEach(async () => {
    await installation.remove()
    disk.remove()
  })

  const email = 'owner@acme.example'
  const password = 'a long password of an owner'

  test('sign in, again and again, while sends are refused; with space, all is as before', async () => {
    const passwordFile = join(disk.folder, 'password')
    await Bun.write(passwordFile, password)
    const env = { WAYPOST_OWNER_EMAIL: email, WAYPOST_OWNER_PASSWORD_FILE: passwordFile }
    const { serving, url } = await installation.run({ env })
    const signIn = async () => {
      const body = JSON.stringify({ email, password })
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`${url}/api/v1/auth/login`, { method: 'POST', headers, body })).status
    }
    disk.fill(serving.pid)
    for (let count = 0; (await installation.send(url, `filling-${count}`)).status === 201; ) count += 1

    const signedIn: number[] = []
    for (let count = 0; count < signIns; count += 1) signedIn.push(await signIn())
    const refused = await installation.send(url, 'refused')
    disk.free(serving.pid)
    await eventually(async () => expect((await installation.send(url, 'refused')).status).toBe(201))

    expect(new Set(signedIn)).toEqual(new Set([200]))
    expect(refused).toMatchObject({ status: 503, error: 'SERVICE_UNAVAILABLE' })
    expect(statSync(installation.path('waypost.db-reserve')).size).toBe(reserveBytes)
    expect(await serving.end('SIGTERM')).toBe(0)
    expect(integrity(installation.path('waypost.db'))).toBe('ok')
  })
})

describe.skipIf(!canMount)('a start on a full file system', () => {
  let disk: SmallDisk
  let installation: Installation
  beforeEach(async () => {
    disk = mountSmallDisk()
    installation = await Installation.make(join(disk.folder, 'data'))
  })
  afterEach(async () => {
    await installation.remove()
    disk.remove()
  })

  test('is refused with 1 and a sentence that names the folder; with space it starts, and all is there', async () => {
    const before = await installation.run()
    const sent = await installation.send(before.url, 'order-1')
    await before.serving.end('SIGTERM')

    disk.fill(process.pid)
    const { code, says } = await refusal(installation.start())
    disk.free(process.pid)
    const { url } = await installation.run()
    const status = await installation.status(url, sent.id)

    expect(status).toMatchObject({ status: 200, state: 'SENT' })
    expect(code).toBe(1)
    expect(says).toMatch(/full/i)
    expect(says).toContain(installation.dataDir)
  })

  test('what only reads works all the same, beside a gateway or not', async () => {
    const { serving, url } = await installation.run()
    const { id } = await installation.send(url, 'order-1')
    disk.fill(process.pid)
    const main = resolve(import.meta.dir, '../../../src/main.ts')
    const show = () => {
      const command = [process.execPath, main, 'message', 'show', String(id), '--json']
      const { stdout, stderr } = Bun.spawnSync(command, { env: { DATA_DIR: installation.dataDir } })
      return stdout.length > 0 ? JSON.parse(stdout.toString()) : stderr.toString()
    }
    expect(show()).toMatchObject({ id, status: 'SENT' })
    await serving.end('SIGKILL')
    expect(show()).toMatchObject({ id, status: 'SENT' })
  })

  test('after a kill does no harm, whether it comes up or not: with space, it has everything that it answered', async () => {
    const before = await installation.run()
    const answers: Answer[] = []
    for (let count = 0; count < 50; count += 1) answers.push(await installation.send(before.url, `order-${count}`))
    await before.serving.end('SIGKILL')

    disk.fill(process.pid)
    const full = installation.start()
    if ((await full.ready) === null) expect(await full.ended).toBe(1)
    else await full.end('SIGKILL')
    disk.free(process.pid)
    const { url } = await installation.run()
    const states = await Promise.all(answers.map(({ id }) => installation.status(url, id)))

    expect(new Set(states.map(({ status, state }) => `${status} ${state}`))).toEqual(new Set(['200 SENT']))
  })
})

interface Ready {
  readonly parts?: Readonly<Record<string, string>>
  readonly details?: { readonly parts: Readonly<Record<string, string>> }
}

/** A delivery of a message; one that nobody knows is stored as well. */
const report = (messageId: string) =>
  statusCallback({
    id: `wamid.${crypto.randomUUID()}`,
    status: 'delivered',
    timestamp: String(Math.floor(Date.now() / 1_000)),
    biz_opaque_callback_data: messageId,
  })

function integrity(path: string): unknown {
  using client = new Database(path, { readonly: true })
  return client.query('PRAGMA integrity_check').values()[0]?.[0]
}
