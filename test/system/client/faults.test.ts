import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { setupAndRetries } from '../../docs/blocks.ts'
import { needs, program, run } from '../../programs.ts'
import { root } from '../../structure/modules.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { Reader } from '../docs/reader.ts'
import { contentOf, type FaultyProxy, faults, rareFaults, startFaultyProxy } from './faultyProxy.ts'

setDefaultTimeout(10 * hungAfterMs)

let reader: Reader
let proxy: FaultyProxy
beforeAll(async () => {
  reader = await Reader.start()
  proxy = await startFaultyProxy(reader.kit.url)
  reader.gatewayIs(proxy.url)
})
afterAll(async () => {
  await proxy.close()
  await reader.leave()
})

async function printedBy(command: readonly string[], env: Record<string, string>): Promise<string> {
  const ended = await run(command, { cwd: reader.folder, env })
  if (ended.code !== 0) throw new Error(`${command[0]} ended with ${ended.code}:\n${ended.stdout}${ended.stderr}`)
  return ended.stdout
}

/** The ids of the messages that reached the upstream, by fault. */
async function arrived(caller: string, names: readonly string[]): Promise<Record<string, string[]>> {
  interface Journal {
    readonly requests: readonly {
      readonly opaque: string
      readonly body: { readonly text: { readonly body: string } }
    }[]
  }
  const answer = await fetch(`${reader.kit.control}/requests?limit=50000`)
  const { requests } = (await answer.json()) as Journal
  const idsOf = (name: string) =>
    requests.filter(({ body }) => body.text.body === contentOf(caller, name)).map(({ opaque }) => opaque)
  return Object.fromEntries(names.map(name => [name, idsOf(name)]))
}

describe('an answer that does not arrive whole is one message, whose key is known:', () => {
  const names = Object.keys({ ...faults, ...rareFaults })
  const client = join(import.meta.dir, 'faultySends')
  const bundle = async () => {
    const { outputs } = await Bun.build({ entrypoints: [`${client}.ts`], outdir: reader.folder, target: 'node' })
    return outputs[0]?.path ?? ''
  }
  const python = { PYTHONPATH: join(root, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' }
  const clients = [
    ['TypeScript, in Bun', [process.execPath], bundle, {}],
    ['TypeScript, in Node', ['node', '--expose-gc'], bundle, {}],
    ['Python', ['python3'], async () => `${client}.py`, python],
  ] as const

  describe.each(clients)('%s', (caller, command, script, env) => {
    const { isMissing, name } = needs('each fault', program(command[0]))
    test.skipIf(isMissing)(name, async () => {
      const { apiKey, apiSecret } = reader.kit
      const sends = { url: proxy.url, apiKey, apiSecret, caller, faults: names, timeoutMs: 2_000 }
      const printed = await printedBy([...command, await script()], { ...env, SENDS: JSON.stringify(sends) })
      const seen = JSON.parse(printed) as Record<string, readonly [string, string]>
      const ids = Object.fromEntries(names.map(name => [name, [seen[name]?.[1]]]))
      expect(ids).toEqual(await arrived(caller, names))
      // What informational answers precede is a whole answer; Node refuses it.
      const answered = names.filter(name => seen[name]?.[0] !== 'NoAnswer' && name !== 'informational answers first')
      expect(answered).toEqual([])
    })
  })
})

describe('a recipe of docs/cookbook.md repeats until a whole answer comes, and it is one message:', () => {
  const names = Object.keys(faults)
  /** How each language sends a text for every fault, and prints the fault and the id. */
  const recipes = [
    [
      'sh',
      'bash',
      `while IFS= read -r FAULT; do
  SENT=$(send_safely "$FAULT" "{ \\"type\\": \\"text\\", \\"phone\\": \\"+15550150100\\", \\"content\\": \\"sh: $FAULT\\" }")
  echo "$FAULT=$(grep -o 'msg_[0-9a-z]*' <<< "$SENT")"
done <<< "$FAULTS"`,
    ],
    [
      'ts',
      process.execPath,
      `for (const fault of (process.env.FAULTS ?? '').split('\\n')) {
  const { id } = await sendSafely({ type: 'text', phone: '+15550150100', content: \`ts: \${fault}\` }, \`ts \${fault}\`)
  console.log(\`\${fault}=\${id}\`)
}`,
    ],
    [
      'python',
      'python3',
      `import os
for fault in os.environ["FAULTS"].split("\\n"):
    body = {"type": "text", "phone": "+15550150100", "content": f"python: {fault}"}
    print(fault + "=" + send_safely(body, f"python {fault}")["id"])`,
    ],
    [
      'php',
      'php',
      `foreach (explode("\\n", getenv('FAULTS')) as $fault) {
    $body = ['type' => 'text', 'phone' => '+15550150100', 'content' => "php: $fault"];
    echo $fault, '=', sendSafely($body, "php $fault")['id'], PHP_EOL;
}`,
    ],
  ] as const

  describe.each(recipes)('%s', (language, command, sends) => {
    const { isMissing, name } = needs('each fault', program(command), program('curl'), program('jq'))
    test.skipIf(isMissing)(name, async () => {
      const file = join(reader.folder, `recipe.${language}`)
      await Bun.write(file, `${reader.typed(setupAndRetries(language, 1))}\n${sends}\n`)
      const printed = await printedBy([command, file], { FAULTS: names.join('\n') })
      // The recipe's own sends print before.
      const lines = printed.trimEnd().split('\n').slice(-names.length)
      const ids = Object.fromEntries(lines.map(line => line.split('=', 2)).map(([fault, id]) => [fault, [id]]))
      expect(ids).toEqual(await arrived(language, names))
    })
  })
})
