import { expect, test } from 'bun:test'

const secrets = ['apiSecret', 'accessToken', 'appSecret', 'verifyToken', 'authorization', 'content', 'payload']

/** Logs each secret on both levels, in a process of its own, because logs go to its stderr. */
async function logged(format: 'json' | 'pretty'): Promise<string> {
  const program = `
    const { createLogger } = await import(${JSON.stringify(`${import.meta.dir}/../src/log.ts`)})
    const log = createLogger({ level: 'info', format: '${format}' })
    for (const name of ${JSON.stringify(secrets)}) log.info({ [name]: 'open-sesame', job: { [name]: 'open-sesame' } }, name)`
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect(stdout).toBe('')
  return stderr
}

test.each(['json', 'pretty'] as const)(
  'what is secret, or what people wrote, is hidden from the log: %s',
  async format => {
    const text = await logged(format)
    expect(text).not.toContain('open-sesame')
    expect(text.match(/\(hidden\)/g)).toHaveLength(2 * secrets.length)
    for (const name of secrets) expect(text).toContain(name)
  },
)
