import { Writable } from 'node:stream'
import pino from 'pino'
import { type Answer, startTestGateway, type TestGateway } from '../../gateway.ts'

/** Stands in the URL of the database, and must stand nowhere else. The server of the tests trusts everybody. */
export const password = 'pass-word-of-the-database'

export interface OutageGateway extends TestGateway {
  /** All lines of its log. */
  readonly logged: () => string
  sendAs(idempotencyKey: string): Promise<Answer>
  ready(): Promise<{ status: number; database: string }>
}

/** A gateway on a database of PostgreSQL. @param url without a password */
export async function startOutageGateway(url: string): Promise<OutageGateway> {
  let logged = ''
  const sink = new Writable({
    write(line, _, done) {
      logged += line
      done()
    },
  })
  const withPassword = new URL(url)
  withPassword.password = password
  const gateway = await startTestGateway({
    env: { DATABASE_URL: withPassword.href, SEND_WAIT_MS: '2000' },
    log: pino({ level: 'info' }, sink),
  })
  return {
    ...gateway,
    logged: () => logged,
    sendAs: key => gateway.send({ type: 'text', phone: '+15550100200', content: key, idempotencyKey: key }),
    async ready() {
      const answer = await gateway.get('/readyz')
      const parts = answer.json.parts ?? answer.json.details.parts
      return { status: answer.status, database: parts.database }
    },
  }
}
