import type { Certificate } from './certificate.ts'
import { manyTemplatesAccount, pageOfMany } from './manyTemplates.ts'
import { announce } from './processes.ts'

/*
 * The stub of the upstream platform that all sides send to, plain and, with a certificate, over TLS: takes every message at once, or after a
 * delay.
 * bun test/bench/upstream.ts <delay in ms> [Certificate as JSON]
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
const delayMs = Number(process.argv[2])
const certificate = process.argv[3] === undefined ? null : (JSON.parse(process.argv[3]) as Certificate)
/** Messages by the path of their line. */
const takenByPath = new Map<string, number>()
let lastId = 0

async function answer(request: Request): Promise<Response> {
  const path = request.url.slice(request.url.indexOf('/', 'https://'.length))
  if (request.method === 'POST' && path.endsWith('/messages')) {
    const text = await request.text()
    if (text.includes('"status":"read"')) return Response.json({ success: true })
    takenByPath.set(path, (takenByPath.get(path) ?? 0) + 1)
    lastId += 1
    const id = lastId
    // The number that was asked for: another one would be another spelling of it, which a gateway keeps.
    const [, number = ''] = /"to":"\+?(\d+)"/.exec(text) ?? []
    if (delayMs > 0) await Bun.sleep(delayMs)
    return new Response(
      `{"messaging_product":"whatsapp","contacts":[{"input":"+${number}","wa_id":"${number}"}],"messages":[{"id":"wamid.bench${id}"}]}`,
      json,
    )
  }
  if (path.startsWith('/taken/')) return Response.json(takenByPath.get(path.slice('/taken'.length)) ?? 0)
  if (path.includes(`/${manyTemplatesAccount}/message_templates`))
    return Response.json(pageOfMany(new URL(request.url).searchParams))
  if (path.includes('/message_templates')) return new Response(listing, json)
  if (path.includes('/uploads')) return Response.json({ id: 'upload:bench' })
  if (path.includes('/upload:')) {
    // Read and dropped: what nobody reads keeps its sender waiting.
    await request.arrayBuffer()
    return Response.json(request.method === 'POST' ? { h: '4::bench' } : { id: 'upload:bench', file_offset: 0 })
  }
  if (request.method === 'POST' && path.endsWith('/media')) await request.arrayBuffer()
  // What a gateway passes on.
  return Response.json({ id: '1', data: [] })
}

const at = { hostname: '127.0.0.1', port: 0, fetch: answer } as const
function serveTls({ certificatePath, keyPath }: Certificate) {
  const { port } = Bun.serve({ ...at, tls: { cert: Bun.file(certificatePath), key: Bun.file(keyPath) } })
  return { tlsUrl: `https://127.0.0.1:${port}` }
}
const plain = Bun.serve(at)
announce({ url: `http://127.0.0.1:${plain.port}`, ...(certificate && serveTls(certificate)) })
