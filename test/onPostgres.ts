import { startPostgres, unsynced } from './postgres.ts'

/*
 * Runs tests that start gateways once more, with every gateway on a PostgreSQL database of its own:
 *
 *   bun test/onPostgres.ts [FILE OR FOLDER …]
 */

/** What callers, the upstream and receivers see. */
const seenFromOutside = [
  'test/partner',
  'test/callbacks',
  'test/http/keptSettings.test.ts',
  'test/webhooks/delivery.test.ts',
  'test/webhooks/platform.test.ts',
  'test/e2e/platformCallbacks.test.ts',
  'test/e2e/batchRestarts.test.ts',
  'test/console/blocking.test.ts',
  'test/console/compose.test.ts',
  'test/console/templates.test.ts',
]

/** @returns the exit code of `bun test`, and what it said when it was not to be shown at once */
export async function testOnPostgres(
  paths: readonly string[],
  output: 'inherit' | 'pipe',
): Promise<{ exitCode: number; said: string }> {
  const server = await startPostgres({ ...unsynced, max_connections: '300' })
  try {
    const env = { ...process.env, WAYPOST_TEST_POSTGRES: `postgres://waypost@127.0.0.1:${server.port}/postgres` }
    const run = Bun.spawn([process.execPath, 'test', '--isolate', ...paths], {
      cwd: `${import.meta.dir}/..`,
      env,
      stdout: output,
      stderr: output,
    })
    const texts = [run.stdout, run.stderr].map(stream => (stream ? new Response(stream).text() : ''))
    const said = (await Promise.all(texts)).join('')
    return { exitCode: await run.exited, said }
  } finally {
    await server.remove()
  }
}

if (import.meta.main) {
  const named = process.argv.slice(2)
  const { exitCode } = await testOnPostgres(named.length > 0 ? named : seenFromOutside, 'inherit')
  process.exit(exitCode)
}
