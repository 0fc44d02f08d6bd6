import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { SANDBOX } from '../../../src/sandbox/server.ts'
import { type Block, blockName, blocks, isSettings, reasonNotRun, texts } from '../../docs/blocks.ts'
import { eventually } from '../../eventually.ts'
import { freePort } from '../../freePort.ts'
import { needs, program } from '../../programs.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { Reader } from './reader.ts'

setDefaultTimeout(5 * hungAfterMs)

/** Scripts of package.json and the container have tests of their own; blocks.test.ts checks that they exist. */
const isScript = ({ text }: Block) => /^(npx -y )?bun/.test(text)
const shellOf = (path: string) =>
  blocks.filter(
    block =>
      block.path === path &&
      block.language === 'sh' &&
      reasonNotRun(block) === null &&
      !isSettings(block) &&
      !isScript(block),
  )

const setUp = shellOf('README.md').filter(({ text }) => text.startsWith('waypost workspace create'))

test('every block of shell lines is run by a test of this folder, or says why not', () => {
  const followed = ['README.md', 'docs/meta-setup.md', 'docs/operate.md', 'docs/sandbox.md', 'docs/webhooks.md']
  const run = ['docs/cookbook.md', ...followed].flatMap(shellOf)
  const left = blocks.filter(
    block =>
      block.language === 'sh' &&
      reasonNotRun(block) === null &&
      !isSettings(block) &&
      !isScript(block) &&
      !run.includes(block),
  )
  expect(left.map(blockName)).toEqual([])
})

/**
 * Runs the blocks of a document one after another, as a reader does: the test of a block follows those above it first,
 * each once, so that the tests may run in any order.
 */
function follows(path: string, before: (reader: Reader) => Promise<void>, meanwhile: Record<string, Meanwhile> = {}) {
  const { isMissing, name } = needs(path, program('curl'))
  describe.skipIf(isMissing)(name, () => {
    const steps = shellOf(path)
    const followed: Promise<void>[] = []
    let reader: Reader
    beforeAll(async () => {
      reader = await Reader.start()
      await before(reader)
    })
    afterAll(() => reader.leave())

    async function follow(block: Block, at: number): Promise<void> {
      await followTo(at - 1)
      const [, happening] = /^after: (.+)$/.exec(block.note) ?? []
      if (happening !== undefined) await meanwhile[happening]?.(reader)
      await reader.follow(block)
    }
    async function followTo(at: number): Promise<void> {
      const block = steps[at]
      if (!block) return
      followed[at] ??= follow(block, at)
      await followed[at]
    }
    test.each(steps.map((block, at) => [blockName(block), at] as const))('%s works as it stands', async (_, at) => {
      await followTo(at)
    })
  })
}

type Meanwhile = (reader: Reader) => Promise<void>

const followSetUp: Meanwhile = async reader => {
  for (const block of setUp) await reader.follow(block)
}

const send = (
  phone: string,
) => `curl http://127.0.0.1:8080/api/v1/public/messages/send -H 'apiKey: pk_…' -H 'apiSecret: sk_…' \\
  -H 'Content-Type: application/json' -d '{"type":"text","phone":"${phone}","content":"Hello."}'`

follows('README.md', async () => {})

follows('docs/meta-setup.md', async () => {})

follows(
  'docs/operate.md',
  async reader => {
    await followSetUp(reader)
    await reader.run(send('+15550150100'))
    // The doctor misses the callbacks of an account for which none has come yet.
    await eventually(async () => expect(await reader.run('waypost message show msg_… --json')).toContain('"READ"'))
  },
  {
    // The sandbox resets the connection and sends nothing: no callback will settle the message.
    'an unknown message': async reader => {
      await reader.run(send('+15550130011'))
      expect(await reader.run('waypost message show msg_… --json')).toContain('"UNKNOWN"')
    },
    'the key is lost': async reader => {
      await reader.stopServing()
      rmSync(join(reader.folder, 'data/secret.key'))
    },
    'the gateway is stopped': reader => reader.stopServing(),
  },
)

follows(
  'docs/sandbox.md',
  async reader => {
    await followSetUp(reader)
    await reader.stopServing()
    const port = freePort()
    reader.place('--port 8090', `--port ${port}`)
    reader.place('http://127.0.0.1:8090', `http://127.0.0.1:${port}`)
  },
  {
    'a file and a message': async reader => {
      await reader.run(`curl -X PATCH http://127.0.0.1:8090/sandbox/settings -d '{"windowRequired":false}'`)
      const form = "-F messaging_product=whatsapp -F type=text/plain -F 'file=@token.txt;type=text/plain'"
      const uploaded = await reader.run(
        `curl -H 'Authorization: Bearer ${SANDBOX.accessToken}' ${form} http://127.0.0.1:8090/v25.0/1098765432/media`,
      )
      reader.place('MEDIA_ID', (JSON.parse(uploaded) as { id: string }).id)
      await reader.run(send('+15550150100'))
    },
  },
)

const receiver = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(null, { status: 204 }) })
afterAll(() => receiver.stop(true))
/** It is on this machine, which an operator opens. */
const openReceiver: Meanwhile = async reader => {
  await reader.run('export WEBHOOK_ALLOWED_NETWORKS=127.0.0.1/32')
  reader.place('https://shop.example.com', `http://127.0.0.1:${receiver.port}`)
}

follows('docs/webhooks.md', async reader => {
  await openReceiver(reader)
  await followSetUp(reader)
})

/** Commands between the words of a text, in their order, each once. */
const mentioned = [
  ...new Set(
    [...texts.values()].flatMap(text =>
      [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`(waypost [a-z][^`]+)`/g)].map(([, command = '']) =>
        command.replaceAll('\n', ' '),
      ),
    ),
  ),
]
/** They run on; blocks of the same documents start them. */
const isEndless = (command: string) => /^waypost (serve|sandbox|demo|listen)\b/.test(command)
const needsStop = (command: string) => /^waypost (secrets|restore|database migrate)\b/.test(command)
/** After them, others find nothing. */
const isErasing = (command: string) => /^waypost \w+ (remove|forget)\b/.test(command)
/** No more than the name of a command, of which the text goes on to say what it takes. */
const isName = (command: string) => /^waypost [a-z-]+( [a-z-]+)?$/.test(command)

const between = needs('commands between the words of a text', program('curl'))
describe.skipIf(between.isMissing)(between.name, () => {
  let reader: Reader
  beforeAll(async () => {
    reader = await Reader.start()
    await followSetUp(reader)
    await reader.run('export BACKUP_DIR=.')
    // Of what does not happen here: nobody answers there, and the doctor finds an endpoint that fails.
    await reader.run('waypost webhook add --url https://shop.example.com/hook --events channel.alert')
    await reader.run('waypost contact add --phone +15550100150')
    await reader.run('waypost user create --workspace ws_… --email ada@example.com')
    await reader.run(send('+15550100150'))
    await eventually(async () => expect(await reader.run('waypost message show msg_… --json')).toContain('"READ"'))
    await reader.run('waypost workspace create --name "Acme"')
  })
  afterAll(() => reader.leave())

  test('each works as it stands; one that is a name alone may ask for more', async () => {
    const runnable = mentioned.filter(command => !isEndless(command))
    const last = (command: string) => (isErasing(command) ? 2 : needsStop(command) ? 1 : 0)
    const failed: string[] = []
    for (const command of runnable.toSorted((one, other) => last(one) - last(other))) {
      if (last(command) > 0) await reader.stopServing()
      const problem = await reader.run(command).then(
        () => null,
        (error: Error) => error.message,
      )
      if (problem !== null && !(isName(command) && problem.includes('ended with 2:'))) failed.push(problem)
    }
    expect(failed).toEqual([])
    expect(runnable.length).toBeGreaterThan(30)
  })
})
