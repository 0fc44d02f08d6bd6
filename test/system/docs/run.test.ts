import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blockName, blocks, isReceiver, reasonNotRun, setupAndRetries } from '../../docs/blocks.ts'
import { testFolder } from '../../folder.ts'
import { needs, program, run } from '../../programs.ts'
import { root } from '../../structure/modules.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { Reader } from './reader.ts'

setDefaultTimeout(10 * hungAfterMs)

mkdirSync(join(root, 'dist'), { recursive: true })
/** Inside the repository, so that the types of the runtime are found. */
const within = testFolder('docs', join(root, 'dist'))
let reader: Reader

beforeAll(async () => {
  reader = await Reader.start()
  reader.place('http://127.0.0.1:8090/sandbox', reader.kit.control)
  writeFileSync(
    within('tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: { paths: { '@waypost/client': ['../../packages/client/src/index.ts'] } },
      include: ['*.ts'],
    }),
  )
})
beforeEach(async () => {
  await fetch(`${reader.kit.control}/reset`, { method: 'POST' })
})
afterAll(async () => {
  await reader.leave()
})

const textOf = (path: string, language: string) =>
  blocks
    .filter(block => block.path === path && block.language === language && !isReceiver(block) && !reasonNotRun(block))
    .map(({ text }) => text)
    .join('\n')

/** Writes what a reader would, and runs it. @returns what it printed */
async function runAs(file: string, text: string, ...command: readonly string[]): Promise<string> {
  writeFileSync(within(file), reader.typed(text))
  const ended = await run([...command, file], {
    cwd: within(),
    env: { ...reader.env, PYTHONPATH: join(root, 'clients/python') },
  })
  if (ended.code !== 0) throw new Error(`${file} ended with ${ended.code}:\n${ended.stdout}${ended.stderr}`)
  return ended.stdout
}

interface Arrived {
  readonly body: { readonly type: string; readonly template?: { readonly name: string } }
}

/** What has arrived at the sandbox, in order. */
async function arrived(): Promise<string[]> {
  const answer = await fetch(`${reader.kit.control}/requests?limit=100`)
  const { requests } = (await answer.json()) as { requests: Arrived[] }
  return requests.map(({ body }) => body.template?.name ?? body.type).sort()
}

const bun = process.execPath
const typescript = join(root, 'node_modules/.bin/tsc')
/** What the type checker says about one of the files. */
async function typeErrors(file: string): Promise<string[]> {
  const { stdout } = await run([typescript, '--noEmit', '-p', within()])
  return stdout.split('\n').filter(line => line.includes(`/${file}(`) || /^error/.test(line))
}

describe('docs/cookbook.md', () => {
  /** Each recipe once; what a retry repeats with the same key arrives once as well. */
  const recipes = [
    ...['document', 'image', 'interactive', 'order_confirmation', 'plant_carousel', 'text', 'text', 'text'],
    // The campaign has two items.
    ...['order_confirmation', 'order_confirmation'],
  ].sort()

  const shell = needs('curl: the lines work as they stand', program('curl'), program('jq'))
  test.skipIf(shell.isMissing)(shell.name, async () => {
    const printed = await runAs('cookbook.sh', textOf('docs/cookbook.md', 'sh'), 'bash', '-eu')
    expect(printed).toEndWith('\nSCHEDULED\nCANCELLED\nREAD\n')
    expect(printed).not.toContain('"error":"')
    // The last recipe sends a text of its own.
    expect(await arrived()).toEqual([...recipes, 'text'].sort())
  })

  test('TypeScript: the types are right, and it runs', async () => {
    const printed = await runAs('cookbook.ts', textOf('docs/cookbook.md', 'ts'), bun)
    expect(await typeErrors('cookbook.ts')).toEqual([])
    expect(printed).toMatch(/^msg_\w+ SENT\ntrue true\ndone 2 \nSCHEDULED 200 CANCELLED\nREAD\n$/)
    expect(await arrived()).toEqual(recipes)
  })

  const python = needs('Python: it runs', program('python3'))
  test.skipIf(python.isMissing)(python.name, async () => {
    const printed = await runAs('cookbook.py', textOf('docs/cookbook.md', 'python'), 'python3')
    expect(printed).toMatch(/^msg_\w+ SENT\nTrue True\ndone 2 \nSCHEDULED 200 CANCELLED\nREAD\n$/)
    expect(await arrived()).toEqual(recipes)
  })

  const php = needs('PHP: it runs', program('php'))
  test.skipIf(php.isMissing)(php.name, async () => {
    const printed = await runAs('cookbook.php', textOf('docs/cookbook.md', 'php'), 'php')
    expect(printed).toMatch(/^msg_\w+ SENT\n\[true,true\]\ndone 2 \nSCHEDULED 200 CANCELLED\nREAD\n$/)
    expect(await arrived()).toEqual(recipes)
  })

  const retried = [
    ['curl', 'sh', 'bash'],
    ['TypeScript', 'ts', bun],
    ['Python', 'python', 'python3'],
    ['PHP', 'php', 'php'],
  ] as const
  describe.each(retried)('%s: its retries', (name, language, command) => {
    const { isMissing, name: title } = needs('go on after 503 and 429, and end at once after 400', program(command))
    test.skipIf(isMissing)(title, async () => {
      const statuses = [503, 429, 201]
      let asked = 0
      const gateway = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch: () => {
          const status = statuses[asked] ?? 400
          asked += 1
          const message = { id: 'msg_1', status: 'SENT', failureReason: null, idempotentReplay: false }
          const error = { 503: 'SERVICE_UNAVAILABLE', 429: 'RATE_LIMIT_EXCEEDED' }[status] ?? 'VALIDATION_ERROR'
          const body = status === 201 ? { success: true, data: message } : { error, message: 'No.' }
          return Response.json(body, { status, headers: { 'retry-after': '0' } })
        },
      })
      try {
        const text = setupAndRetries(language, 30).replaceAll(
          'http://127.0.0.1:8080',
          `http://127.0.0.1:${gateway.port}`,
        )
        // The second send of the recipe meets the 400.
        const ended = runAs(`retries.${language}`, text, command)
        await expect(ended).rejects.toThrow('VALIDATION_ERROR')
        expect([name, asked]).toEqual([name, 4])
      } finally {
        await gateway.stop(true)
      }
    })
  })
})

describe('docs/migrate.md', () => {
  const bodies = blocks.filter(
    ({ path, language, note }) => path === 'docs/migrate.md' && language === 'json' && note === 'send',
  )
  test.each(bodies.map(block => [blockName(block), block.text] as const))(
    '%s is a send that is taken',
    async (_, body) => {
      const { url, apiKey, apiSecret } = reader.kit
      const headers = { apiKey, apiSecret, 'content-type': 'application/json' }
      const answer = await fetch(`${url}/api/v1/public/messages/send`, { method: 'POST', headers, body })
      expect([answer.status, await answer.json()]).toEqual([201, expect.objectContaining({ success: true })])
    },
  )
})

test('docs/testing.md: the test file is right in its types, and passes', async () => {
  writeFileSync(within('kit.test.ts'), textOf('docs/testing.md', 'ts'))
  expect(await typeErrors('kit.test.ts')).toEqual([])
  const ended = await run([bun, 'test', 'kit.test.ts'], { cwd: within(), env: reader.env })
  expect(ended.stderr).toContain(' 2 pass\n 0 fail')
  expect(ended.code).toBe(0)
})

describe('the clients', () => {
  test('TypeScript: the first lines of its README work', async () => {
    const printed = await runAs('client.ts', textOf('packages/client/README.md', 'ts'), bun)
    expect(await typeErrors('client.ts')).toEqual([])
    expect(printed).toMatch(/^(DELIVERED|READ)\n$/)
  })

  const python = needs('Python: the first lines of its README work', program('python3'))
  test.skipIf(python.isMissing)(python.name, async () => {
    const printed = await runAs('client.py', textOf('clients/python/README.md', 'python'), 'python3')
    expect(printed).toMatch(/^(DELIVERED|READ)\n$/)
  })
})

test('every block of a program is run here, or says why not', () => {
  const run = ['docs/cookbook.md', 'docs/testing.md', 'packages/client/README.md', 'clients/python/README.md']
  const programs = blocks.filter(block => ['ts', 'js', 'python', 'php'].includes(block.language) && !isReceiver(block))
  const silent = programs.filter(block => !run.includes(block.path) && reasonNotRun(block) === null)
  expect(silent.map(blockName)).toEqual([])
})
