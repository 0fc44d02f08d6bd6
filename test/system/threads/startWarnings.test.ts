import { expect, test } from 'bun:test'
import pino from 'pino'
import { startTestGateway } from '../../gateway.ts'

async function warningsOfStart(env: Record<string, string>): Promise<string[]> {
  const warnings: string[] = []
  const take = (line: string) => {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string }
    if (level === pino.levels.values.warn) warnings.push(msg)
  }
  const gateway = await startTestGateway({ env, log: pino({ base: null }, { write: take }) })
  await gateway.stop()
  return warnings
}

test('a start warns of plain http to another machine and of a weak key, and never shows the key', async () => {
  const secretKey = 'hunter2-hunter2-hunter2'
  const warnings = await warningsOfStart({ CHANNEL_API_URL: 'http://upstream.invalid', SECRET_KEY: secretKey })
  expect(warnings).toEqual([
    expect.stringMatching(/^CHANNEL_API_URL begins with http:/),
    expect.stringMatching(/^The secret key is weak/),
  ])
  expect(warnings.join()).not.toContain('hunter2')
})

test('a start with a key that it made itself, and an upstream on this machine, warns of nothing', async () => {
  expect(await warningsOfStart({})).toEqual([])
})
