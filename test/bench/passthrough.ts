import { announce } from './processes.ts'

/*
 * What a gateway is measured against: forwards the body and returns the answer, and neither checks nor stores anything.
 * bun test/bench/passthrough.ts <address of the upstream's messages>
 */

const target = process.argv[2] ?? ''
const headers = { authorization: 'Bearer access-token', 'content-type': 'application/json' }

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const answer = await fetch(target, { method: 'POST', headers, body: await request.text() })
    return new Response(await answer.text(), { status: answer.status, headers: { 'content-type': 'application/json' } })
  },
})
announce({ url: `http://127.0.0.1:${server.port}` })
