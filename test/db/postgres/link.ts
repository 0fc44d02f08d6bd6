import type { Socket } from 'bun'

/** What happens to a commit on its way: nothing; it is stored, and its answer is lost; or it never arrives. */
type CommitFault = 'none' | 'answerLost' | 'lost'

interface Pair {
  server: Socket<undefined> | null
  /** Sent by the program before the server's side was open. */
  readonly early: Uint8Array[]
  /** The answer is not passed on, and ends the connection. */
  isDeaf: boolean
}

/** The link between a program and the server of a test, which can be cut at the moment of a commit. */
export interface Link {
  /** The same database through the link. */
  readonly url: string
  /** Of the next commit. */
  nextCommit: CommitFault
  /** Whether a statement that is committed by itself is no such commit. */
  sparesStatements: boolean
  /** Whether the link is down from that commit on; otherwise it works again at once. */
  staysDown: boolean
  /** New connections are refused, and all but the given one end. */
  goDown(): void
  comeUp(): void
}

const commit = Buffer.from('COMMIT\0')
/** In the bytes of a statement that stores sends, which is committed when it is answered: bodies, in an array of texts. */
const offers = Buffer.from('"{\\"to\\":')

export function linkTo(databaseUrl: string): Link {
  const target = new URL(databaseUrl)
  const clients = new Set<Socket<Pair>>()

  function cut(client: Socket<Pair>) {
    link.nextCommit = 'none'
    if (link.staysDown) goDown(client)
  }

  function goDown(but?: Socket<Pair>) {
    listener.stop()
    for (const client of clients) if (client !== but) client.terminate()
  }

  const listen = (port: number) =>
    Bun.listen<Pair>({
      hostname: '127.0.0.1',
      port,
      socket: {
        open(client) {
          const pair: Pair = { server: null, early: [], isDeaf: false }
          client.data = pair
          clients.add(client)
          void Bun.connect({
            hostname: target.hostname,
            port: Number(target.port),
            socket: {
              open(server) {
                pair.server = server
                for (const bytes of pair.early.splice(0)) server.write(bytes)
              },
              data(_, bytes) {
                if (pair.isDeaf) client.terminate()
                else client.write(bytes)
              },
              close: () => void client.end(),
              error: () => void client.end(),
            },
          }).catch(() => client.end())
        },
        data(client, bytes) {
          const pair = client.data
          const isCommit = bytes.includes(commit) || (!link.sparesStatements && bytes.includes(offers))
          const fault = isCommit ? link.nextCommit : 'none'
          if (fault !== 'none') cut(client)
          if (fault === 'lost') {
            pair.server?.terminate()
            client.terminate()
            return
          }
          pair.isDeaf ||= fault === 'answerLost'
          if (pair.server) pair.server.write(bytes)
          else pair.early.push(Buffer.from(bytes))
        },
        close(client) {
          clients.delete(client)
          client.data.server?.end()
        },
      },
    })
  let listener = listen(0)
  const { port } = listener
  const url = new URL(databaseUrl)
  url.port = String(port)
  const link: Link = {
    url: url.href,
    nextCommit: 'none',
    sparesStatements: false,
    staysDown: false,
    goDown: () => goDown(),
    comeUp() {
      listener = listen(port)
    },
  }
  return link
}
