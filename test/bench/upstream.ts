import { announce } from './processes.ts'

/*
 * The stub of the upstream platform that both sides send to: takes every message at once, or after a delay.
 * bun test/bench/upstream.ts [delay in ms]
 */

/** One template without and one with variables, as the platform lists them. */
const listing = JSON.stringify({
  data: [
    {
      id: '1001',
      name: 'order_confirmation',
      language: 'en_US',
      category: 'UTILITY',
      status: 'APPROVED',
      parameter_format: 'POSITIONAL',
      components: [
        {
          type: 'BODY',
          text: 'Hi {{1}}, your order {{2}} is confirmed.',
          example: { body_text: [['Ada', '1001']] },
        },
      ],
    },
  ],
})

const json = { headers: { 'content-type': 'application/json' } }
const delayMs = Number(process.argv[2] ?? 0)
/** Messages by the path of their line. */
const takenByPath = new Map<string, number>()
let lastId = 0

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const path = request.url.slice(request.url.indexOf('/', 'http://'.length))
    if (request.method === 'POST' && path.endsWith('/messages')) {
      takenByPath.set(path, (takenByPath.get(path) ?? 0) + 1)
      lastId += 1
      const id = lastId
      if (delayMs > 0) await Bun.sleep(delayMs)
      return new Response(
        `{"messaging_product":"whatsapp","contacts":[{"input":"+491510000000","wa_id":"491510000000"}],"messages":[{"id":"wamid.bench${id}"}]}`,
        json,
      )
    }
    if (path.startsWith('/taken/')) return Response.json(takenByPath.get(path.slice('/taken'.length)) ?? 0)
    if (path.includes('/message_templates')) return new Response(listing, json)
    return new Response('not found', { status: 404 })
  },
})
announce({ url: `http://127.0.0.1:${server.port}` })
