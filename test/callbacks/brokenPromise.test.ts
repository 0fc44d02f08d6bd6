import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { SQL } from 'bun'
import pino from 'pino'
import { startTestGateway } from '../gateway.ts'
import { databaseSettings } from '../gatewayDatabase.ts'
import { messageData, report, status, text } from './report.ts'

/** As somebody who changes the database by hand. */
async function change(dataDir: string, statement: string): Promise<void> {
  const { DATABASE_URL: url } = await databaseSettings(dataDir)
  if (url !== undefined) {
    const client = new SQL({ url, max: 1 })
    await client.unsafe(statement)
    return client.close()
  }
  using file = new Database(join(dataDir, 'waypost.db'))
  file.run('PRAGMA busy_timeout = 30000')
  file.run(statement)
}

test('a status of a message that breaks a promise is refused, and those beside it are stored', async () => {
  const logged: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: line => void logged.push(JSON.parse(line)) })
  const gateway = await startTestGateway({ log })
  try {
    const [one, other] = [(await gateway.send(text)).json.data, (await gateway.send(text)).json.data]
    await change(gateway.dataDir, `UPDATE messages SET status = 'FAILED' WHERE id = '${one.id}'`)
    const reports = () =>
      report(gateway, status(one.channelMessageId, 'delivered'), status(other.channelMessageId, 'delivered'))
    expect((await reports()).status).toBe(500)
    expect((await messageData(gateway, other.id)).status).toBe('DELIVERED')
    expect((await messageData(gateway, one.id)).deliveredAt).toBeNull()
    const told = logged.filter(({ level }) => level === pino.levels.values.fatal)
    const about = { messageId: one.id, from: 'FAILED', to: 'DELIVERED', event: 'reported' }
    expect(told).toMatchObject([{ promise: 'statusOfRecord', about }])
    // It comes again, for days: nothing is lost once the message is mended.
    await change(gateway.dataDir, `UPDATE messages SET status = 'SENT' WHERE id = '${one.id}'`)
    expect((await reports()).status).toBe(200)
    expect((await messageData(gateway, one.id)).status).toBe('DELIVERED')
  } finally {
    await gateway.stop()
  }
})
