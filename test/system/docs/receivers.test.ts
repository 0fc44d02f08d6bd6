import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { minuteMs } from '../../../src/base/durations.ts'
import { newWebhookSecret, webhookHeaders } from '../../../src/base/webhookSignature.ts'
import { type Block, blocks, isReceiver } from '../../docs/blocks.ts'
import { eventually } from '../../eventually.ts'
import { testFolder } from '../../folder.ts'
import { freePort } from '../../freePort.ts'
import { needs, program, run } from '../../programs.ts'
import { root } from '../../structure/modules.ts'
import { hungAfterMs } from '../../timeLimit.ts'

setDefaultTimeout(5 * hungAfterMs)

/** The receivers of docs/cookbook.md, as their readers start them. */

mkdirSync(join(root, 'dist'), { recursive: true })
/** Inside the repository, so that the frameworks are found. */
const within = testFolder('receivers', join(root, 'dist'))
beforeAll(() => {
  writeFileSync(
    within('tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: { paths: { '@waypost/client': ['../../packages/client/src/index.ts'] } },
      include: ['*.ts'],
    }),
  )
})
const running: Bun.Subprocess[] = []
afterAll(async () => {
  for (const child of running) child.kill('SIGTERM')
  await Promise.all(running.map(child => child.exited))
})

const receivers = blocks.filter(isReceiver)
const has = (word: string) => (block: Block) => block.text.includes(word)
const blockWith = (word: string): Block => {
  const [found, ...others] = receivers.filter(has(word))
  if (!found || others.length > 0) throw new Error(`one receiver has ${word}`)
  return found
}

const secret = newWebhookSecret()
const body = JSON.stringify({ id: 'evt_1', type: 'message.received', data: { inbound: { text: 'Grüße 👋' } } })
const signed = (at = Date.now(), by = secret) =>
  webhookHeaders([by, newWebhookSecret()], { id: 'evt_1', seconds: Math.floor(at / 1_000), body })
/** What no endpoint has signed for this receiver, or not now. */
const wrong = [
  signed(Date.now() - 6 * minuteMs),
  signed(Date.now() + 6 * minuteMs),
  signed(Date.now(), newWebhookSecret()),
  {},
]

/** Starts a receiver on a port of its own, and calls it until it answers. */
async function started(block: Block, file: string, command: readonly string[], env: Record<string, string> = {}) {
  const port = freePort()
  writeFileSync(within(file), block.text.replaceAll('3000', String(port)))
  const child = Bun.spawn(
    command.map(word => word.replaceAll('3000', String(port))),
    {
      cwd: within(),
      env: { ...process.env, ...env, WAYPOST_WEBHOOK_SECRET: secret },
      stdout: 'pipe',
      stderr: 'ignore',
    },
  )
  running.push(child)
  const call = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/hook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  await eventually(async () => expect((await call({}).catch(() => null))?.status).toBe(400))
  return { child, call }
}

const fastApi = Bun.which('python3') && (await run(['python3', '-c', 'import fastapi, uvicorn'])).code === 0
const servers = [
  ['Express', blockWith("from 'express'"), 'express.ts', [process.execPath, 'express.ts'], []],
  ['Hono', blockWith("from 'hono'"), 'hono.ts', [process.execPath, 'hono.ts'], []],
  [
    'FastAPI',
    blockWith('from fastapi'),
    'receiver.py',
    ['python3', '-m', 'uvicorn', 'receiver:app', '--port', '3000'],
    [program('python3'), ['FastAPI and uvicorn', fastApi === true] as const],
  ],
] as const

describe.each(servers)('%s', (_, block, file, command, needed) => {
  const { isMissing, name } = needs('takes what the endpoint signs now, and tells it once; all else is 400', ...needed)
  test.skipIf(isMissing)(name, async () => {
    const python = [join(root, 'clients/python'), process.env.PYTHONPATH].filter(path => path !== undefined).join(':')
    const { child, call } = await started(block, file, command, { PYTHONPATH: python })
    for (const headers of wrong) expect((await call(headers)).status).toBe(400)
    for (const attempt of [1, 2]) expect([attempt, (await call(signed())).status]).toEqual([attempt, 204])
    child.kill('SIGTERM')
    const printed = await new Response(child.stdout).text()
    expect(printed.match(/^message\.received evt_1$/gm)).toHaveLength(1)
  })

  if (file.endsWith('.ts')) {
    test('is right in its types', async () => {
      writeFileSync(within(file), block.text)
      const { stdout } = await run([join(root, 'node_modules/.bin/tsc'), '--noEmit', '-p', within()])
      expect(stdout.split('\n').filter(line => line.includes(`/${file}(`) || /^error/.test(line))).toEqual([])
    })
  }
})

const php = needs('Laravel: the function takes what the endpoint signs now, and nothing else', program('php'))
test.skipIf(php.isMissing)(php.name, async () => {
  const calls = `
[, $body, $secret, $all] = $argv;
foreach (json_decode($all, true) as $headers) {
    $of = fn (string $name) => $headers["webhook-$name"] ?? null;
    echo json_encode(waypostEvent($body, $of('id'), $of('timestamp'), $of('signature'), $secret)['id'] ?? null), PHP_EOL;
}
`
  writeFileSync(within('receiver.php'), `<?php\n${blockWith('waypostEvent').text}${calls}`)
  const { stdout, stderr } = await run(['php', 'receiver.php', body, secret, JSON.stringify([signed(), ...wrong])], {
    cwd: within(),
  })
  expect({ stderr, told: stdout.trim().split('\n') }).toEqual({
    stderr: '',
    told: ['"evt_1"', ...wrong.map(() => 'null')],
  })
})

test('n8n: the Code node gives the event that the endpoint signed now, and throws for all else', async () => {
  const { text } = blockWith('$input')
  const AsyncFunction = (async () => {}).constructor as new (
    ...source: string[]
  ) => (...given: unknown[]) => Promise<unknown>
  const node = new AsyncFunction('require', '$input', text.replace('whsec_…', secret))
  const helpers = { getBinaryDataBuffer: async () => Buffer.from(body) }
  const given = (headers: object) =>
    node.call({ helpers }, createRequire(import.meta.url), { first: () => ({ json: { headers } }) })
  expect(await given(signed())).toEqual([{ json: JSON.parse(body) }])
  for (const headers of wrong) await expect(given(headers)).rejects.toThrow('was not made by the endpoint')
})

test('every receiver is run here', () => {
  const run = ["from 'express'", "from 'hono'", 'from fastapi', 'waypostEvent', '$input'].map(blockWith)
  expect(receivers.filter(block => !run.includes(block))).toEqual([])
})
